module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x2x6xf32>) -> (tensor<5x2x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[0.32262969, -0.400428444, -0.123140611, -0.23197566, 0.173617229, -0.0216486845, 0.0172319412, -0.00923936162, -0.0535448119, 0.347788185, 0.224431366, -0.392101943, 0.222230151, -0.251212895, 0.317474365, -0.276687682], [-0.368041128, -0.394139141, -0.425601691, 0.125149816, -0.0947202593, -0.280294329, 0.365319073, 0.00108645973, -0.307883918, 0.499090075, -0.130302832, 0.0140377432, -0.32858175, -0.0976568609, -0.441597849, 0.058909066], [-0.015493378, -0.261785597, -0.00608423399, -0.359148741, 0.0240226425, -0.0713362545, 0.379489213, 2.657240e-01, -0.066040948, -0.0087764794, 0.00212359056, -0.0473808944, -0.0043583489, 0.35433054, 3.004550e-01, 0.196280167], [0.0726980641, 0.480699241, 0.298697293, -0.110221744, -1.011860e-01, 0.3546817, -0.103539623, -0.552320182, 0.296517581, -0.391202837, -0.482511312, -0.305130035, -0.381698042, 0.223320782, -0.498018056, -0.0421623588], [0.117091119, -0.408739626, 0.258297592, 0.414430082, 0.0799131914, 0.25588274, -0.0900333375, 0.285417646, -0.23205331, -0.404735535, 0.0349507518, -0.59636724, 0.265632063, -0.122195132, -0.427294493, -0.230058745], [1.935300e-01, 0.10992568, 0.370552301, -0.519454658, 0.16176714, -0.170369744, 0.436774731, 0.185245499, -0.2433801, -0.195441708, 0.135924071, 0.0220159031, 0.410081714, -0.224115431, 0.0375651307, -0.0400824957]]> : tensor<6x16xf32>
    %cst_0 = stablehlo.constant dense<[0.111146346, -0.0092483554, 0.083997406, -0.0351138711, -0.116781406, -0.138920099, -0.131281078, 0.127672374, 0.175057635, 0.0116711501, -0.0199885424, 0.0205917303, 0.0519942604, -0.174589053, -0.153928325, 0.151831657]> : tensor<16xf32>
    %cst_1 = stablehlo.constant dense<[[0.265224844, 0.572611451, 0.170655638, 0.33897981, -0.147762313, 0.194455981, -0.104998052, -0.344261855, 0.0392820388, 0.0343681127, -0.443819553, 0.187312841, 0.396254629, -0.0358373821, 0.216866732, 0.354014397], [0.594308794, 0.327081293, -0.349399745, 0.0734694228, -0.431168824, 0.0315825306, -0.372089267, -0.244566604, -0.700895249, 0.801728308, -0.0462423712, -0.17001453, -0.435803771, 0.268385738, -0.168637857, -0.219350904], [-0.244044095, 0.836205244, -0.134224504, 0.659262359, -0.293990225, 0.0118169123, 0.116303228, -0.587562501, -0.0270578284, 0.285488099, -0.28166756, 0.442604482, 0.326211095, 0.278134018, 0.28014335, -0.16270417], [0.847642899, 0.0688740313, 0.0970569923, 0.0251562204, 0.227773815, 0.63319695, -0.124405101, -0.169876948, -0.072214134, 0.30155617, 0.234203443, 0.413132429, 0.294557214, 0.0378536209, 0.268454969, -0.180047482]]> : tensor<4x16xf32>
    %cst_2 = stablehlo.constant dense<[[0.699672043, -0.752452671, 0.0120153381, 0.0730064511, 0.384584457, -0.0148334699, -0.286027253, -0.327125609, -0.915755152, 1.673800e-01, -0.154335901, 0.241331115, -0.654338598, 0.174954146, -0.172784939, -0.137237489], [-0.364214778, -0.129615933, -0.114463516, -0.188544169, 0.151015505, 0.382254958, -0.525626719, 0.125870049, 9.886410e-01, -0.437072247, -5.804460e-02, -0.520028412, 0.559120357, 0.374197125, -0.357655257, -0.150268942], [0.570044219, -0.538331807, 0.0399734676, 0.208856389, 0.15556784, -0.159348577, 0.400989115, 0.301995158, -0.0233096275, -0.253014058, -0.380110085, 0.0936867222, 0.0108055621, -0.0384072401, -0.503307521, 0.104551576], [-0.421368092, 0.509586513, 0.324214578, -0.135887116, 0.0286220219, 0.340325862, -0.583744645, 0.300563782, 0.0440934487, 0.25706318, 0.295403391, 0.210593909, 0.315453529, 0.33379966, 0.337111145, 0.0845519751]]> : tensor<4x16xf32>
    %cst_3 = stablehlo.constant dense<[-0.115136996, -0.058855217, 0.128446594, -0.0623228661, -0.0325797349, -0.00597762642, 0.095431894, 0.0257784426, 0.0152765382, -0.109501839, -0.0240674429, -0.116650097, 0.04742736, -0.0827192291, 0.0697993115, 0.031068543]> : tensor<16xf32>
    %cst_4 = stablehlo.constant dense<[[-0.122626141, 0.286986023, -0.0895780474, -0.147352561, -0.155721754, -0.095366396, 0.782978117, -0.0737080574, 0.0774969086, -0.0633253083, -0.044180125, 0.103244722, -0.136683613, 0.10636241, -2.302150e-01, -0.398752242], [0.0997963175, -0.582444131, 0.481253028, -0.0465197042, 0.155081555, 0.140372992, -0.034235917, 0.189247102, -0.120363012, 0.421965897, 0.312711746, -0.336971879, 0.239470586, 0.388973266, 0.703103244, 0.330561548], [-0.222372726, 0.0793097913, 0.363796622, -0.257611811, 0.366747022, 0.0142018851, 0.674024164, 0.692461252, 0.153197438, 0.48686403, -0.282055527, 0.019561857, 0.188082367, 0.36956805, 0.0230687745, 0.11520429], [0.853520929, -0.310234815, -0.285660595, -0.9055745, 0.558252871, -0.0548150204, -0.00774361147, -0.0315631405, 0.138556421, 0.0665924251, -0.0223491434, -0.119582258, -0.446823776, 0.0810829848, -0.144730151, -0.459584028]]> : tensor<4x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %1 = stablehlo.dot_general %arg0, %cst, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x2x6xf32>, tensor<6x16xf32>) -> tensor<5x2x16xf32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<5x2x16xf32>
    %4 = stablehlo.add %1, %3 : tensor<5x2x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:6 = stablehlo.while(%iterArg = %4, %iterArg_10 = %cst_1, %iterArg_11 = %c, %iterArg_12 = %0, %iterArg_13 = %0, %iterArg_14 = %5) : tensor<5x2x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
    cond {
      %c_15 = stablehlo.constant dense<5> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_11, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_11) : (tensor<5x2x16xf32>, tensor<i32>) -> tensor<2x16xf32>
      %15:3 = func.call @closed_call(%iterArg_10, %iterArg_12, %iterArg_13, %14) : (tensor<4x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %16 = func.call @dynamic_update_index_in_dim(%iterArg_14, %15#2, %iterArg_11) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %c_15 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.add %iterArg_11, %c_15 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_10, %17, %15#0, %15#1, %16 : tensor<5x2x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
    }
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %8 = stablehlo.dot_general %6#5, %cst_2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x2x4xf32>, tensor<4x16xf32>) -> tensor<5x2x16xf32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<5x2x16xf32>
    %11 = stablehlo.add %8, %10 : tensor<5x2x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %13:6 = stablehlo.while(%iterArg = %11, %iterArg_10 = %cst_4, %iterArg_11 = %c_9, %iterArg_12 = %7, %iterArg_13 = %7, %iterArg_14 = %12) : tensor<5x2x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
    cond {
      %c_15 = stablehlo.constant dense<5> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_11, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_11) : (tensor<5x2x16xf32>, tensor<i32>) -> tensor<2x16xf32>
      %15:3 = func.call @closed_call_0(%iterArg_10, %iterArg_12, %iterArg_13, %14) : (tensor<4x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      %16 = func.call @dynamic_update_index_in_dim(%iterArg_14, %15#2, %iterArg_11) : (tensor<5x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<5x2x4xf32>
      %c_15 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.add %iterArg_11, %c_15 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_10, %17, %15#0, %15#1, %16 : tensor<5x2x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
    }
    return %13#5 : tensor<5x2x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x2x16xf32>, %arg1: tensor<i32>) -> tensor<2x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 16] : (tensor<5x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
    return %1 : tensor<2x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x16xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x4xf32>, %arg3: tensor<2x16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
    %1 = stablehlo.add %arg3, %0 : tensor<2x16xf32>
    %2 = stablehlo.slice %1 [0:2, 0:4] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %3 = stablehlo.slice %1 [0:2, 4:8] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.slice %1 [0:2, 8:12] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.slice %1 [0:2, 12:16] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %6 = stablehlo.negate %3 : tensor<2x4xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %9 = stablehlo.add %8, %7 : tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %11 = stablehlo.divide %10, %9 : tensor<2x4xf32>
    %12 = stablehlo.multiply %11, %arg2 : tensor<2x4xf32>
    %13 = stablehlo.negate %2 : tensor<2x4xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %16 = stablehlo.add %15, %14 : tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %18 = stablehlo.divide %17, %16 : tensor<2x4xf32>
    %19 = stablehlo.tanh %4 : tensor<2x4xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<2x4xf32>
    %21 = stablehlo.add %12, %20 : tensor<2x4xf32>
    %22 = stablehlo.negate %5 : tensor<2x4xf32>
    %23 = stablehlo.exponential %22 : tensor<2x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %25 = stablehlo.add %24, %23 : tensor<2x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %27 = stablehlo.divide %26, %25 : tensor<2x4xf32>
    %28 = stablehlo.tanh %21 : tensor<2x4xf32>
    %29 = stablehlo.multiply %27, %28 : tensor<2x4xf32>
    return %29, %21, %29 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> tensor<5x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x2x4xf32>
    return %1 : tensor<5x2x4xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<4x16xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x4xf32>, %arg3: tensor<2x16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
    %1 = stablehlo.add %arg3, %0 : tensor<2x16xf32>
    %2 = stablehlo.slice %1 [0:2, 0:4] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %3 = stablehlo.slice %1 [0:2, 4:8] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.slice %1 [0:2, 8:12] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.slice %1 [0:2, 12:16] : (tensor<2x16xf32>) -> tensor<2x4xf32>
    %6 = stablehlo.negate %3 : tensor<2x4xf32>
    %7 = stablehlo.exponential %6 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %9 = stablehlo.add %8, %7 : tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %11 = stablehlo.divide %10, %9 : tensor<2x4xf32>
    %12 = stablehlo.multiply %11, %arg2 : tensor<2x4xf32>
    %13 = stablehlo.negate %2 : tensor<2x4xf32>
    %14 = stablehlo.exponential %13 : tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %16 = stablehlo.add %15, %14 : tensor<2x4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %18 = stablehlo.divide %17, %16 : tensor<2x4xf32>
    %19 = stablehlo.tanh %4 : tensor<2x4xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<2x4xf32>
    %21 = stablehlo.add %12, %20 : tensor<2x4xf32>
    %22 = stablehlo.negate %5 : tensor<2x4xf32>
    %23 = stablehlo.exponential %22 : tensor<2x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %25 = stablehlo.add %24, %23 : tensor<2x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %27 = stablehlo.divide %26, %25 : tensor<2x4xf32>
    %28 = stablehlo.tanh %21 : tensor<2x4xf32>
    %29 = stablehlo.multiply %27, %28 : tensor<2x4xf32>
    return %29, %21, %29 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
}
