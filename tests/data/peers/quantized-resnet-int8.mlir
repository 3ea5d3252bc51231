module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x16x16x3xf32>) -> (tensor<1x5xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<"0x15E7F5EC0BFF02FFFD1614DF0EF01CE8E9E7DB0BFAEE2000EC20F501EBFAD905FFEFFFE102FB2117FCFF00FC00161A11051E1AF7FA16F7D113E7D6E6E80ED4FC07E617230510F818F1E603CD11F8DAEC0C0721D40AF52610F1F40C021AF203FD0E1E0C18F80AF8E80202E00D15FE10191F11E705EA02E5EFDC29FDF4E90EF4F1F32BF62EF10108D7FF0FEC1F110E14F52C0407020C21F7F4FC10111D0F0213F314FE15F7EBE7DF1F2002FB050AE0D92524D9010514FFEBE9D009F511DE09F4F6EDF9F8F30814DA0933E9FCDC1D13E6F61EE4030F08F81D15FFF3E50701FEDC07EA1A17F70112D615020D150F10111806FA0FFAF6F8FB38FB04FDFD07F905EFE405E223FD0807FE0DFA1616E90C143317F4041AEE130130300819EC010A1302082CF0EBC11DFDFFFE0703FEF8E904F6E0EBF521F1FAFF180603ECFAE309F11208EBEE22000BE503190CF53004F4E9EC18ECFC04FD06130D1D051B0C25FCE9DB260DE9CEE6F7FF17FEEB1BFDECF0E7D80FE4F6182EFD1820D1F2F103EC2101ECF500F11F24EFEF24E7F2F2F90E15F40FF011DF1F170E02FBF1061E10F7FC13F3C5FFF80A0D03051B38DBFC191CECFC3328DCFEF9F203FC04110FF3C1CE0FFEFC0BEFFA0B05FB0119D1F2ED21F904FF15EFFC232F29F2F3E9E0FAF414FD0CD5F1D21D0D12E5EC18E5ECFD1AE108FCFAF92ED6F7D6FCEA00E5FF3F1BFBE4140EDE3311F1E407E6F3F11A0DE6F7F20BF4FAE1F9F800090EFC15F805F0D6F5DC01C702180009F4F4F131F8F20CE9E2D3FA0E091402E9E80BF8CAF2E5C10306ECE205F2E200EE1E0DF7E4DDFC072D0C"> : tensor<7x7x3x4xi8>
    %c_0 = stablehlo.constant dense<[140, -143, -607, 637]> : tensor<4xi32>
    %cst = stablehlo.constant dense<[3.97116732E-4, 4.00114193E-4, 2.86941882E-4, 2.963910e-04]> : tensor<4xf32>
    %c_1 = stablehlo.constant dense<[[[[-63, -18, 46, 23, -7, -8, 40, 46, -61, 26, 45, 63, -43, 8, -63, 57], [-17, 63, -17, 32, 63, -26, 63, -11, -32, 63, 63, 7, 13, 63, -7, 22], [-19, -38, -19, -63, 32, -23, 38, 63, -63, -10, -3, -37, -24, -17, 33, -5], [-3, 25, -63, -30, 28, -63, 39, -12, -19, 41, 34, 1, -63, -9, 21, 63]]]]> : tensor<1x1x4x16xi8>
    %c_2 = stablehlo.constant dense<[-13074, 4483, -6778, -5015, 14362, -15295, 23369, 10784, -22659, 15375, 17801, 4444, -15044, 6041, -1769, 17741]> : tensor<16xi32>
    %cst_3 = stablehlo.constant dense<[9.90170636E-4, 3.4725861E-4, 3.920330e-04, 4.33328969E-4, 2.66038551E-4, 6.32581126E-4, 3.30865558E-4, 4.58571682E-4, 3.81814782E-4, 1.98543872E-4, 7.94674153E-4, 6.91488327E-4, 2.76364386E-4, 8.21253866E-4, 6.55409996E-4, 7.89893616E-4]> : tensor<16xf32>
    %c_4 = stablehlo.constant dense<[[[[-52, -56, 39, 6], [-63, 23, -14, 49], [55, 63, 63, -63], [-5, -22, -45, 35]]]]> : tensor<1x1x4x4xi8>
    %c_5 = stablehlo.constant dense<[-8382, 693, 5447, 3486]> : tensor<4xi32>
    %cst_6 = stablehlo.constant dense<[3.77197954E-4, 2.16038869E-4, 3.45081324E-4, 4.34427435E-4]> : tensor<4xf32>
    %c_7 = stablehlo.constant dense<"0x120C131DE9ED081008EED2F7263219EA08FC031701072A1407E4E1370624F6E516E7F6F2250BE2FEE0F5FE07102FE9ED1C3FFF1309E924F9F90F0800312BEC02D9D715F3DFEAD822DAD826F1C5E33FFCF9EE120CFD3507C109F6F826150A003D07ECF906EBF1091316CB1C2AE6D50F143F1729F529052608DF0616FD1CE3E002F5FB16200C0215F3C2D4020BE2F9F60D"> : tensor<3x3x4x4xi8>
    %c_8 = stablehlo.constant dense<[3558, -14865, 27978, 31571]> : tensor<4xi32>
    %cst_9 = stablehlo.constant dense<[2.38388282E-4, 2.34254156E-4, 3.51526396E-4, 3.0673694E-4]> : tensor<4xf32>
    %c_10 = stablehlo.constant dense<[[[[-43, 63, 14, -63, 14, -33, -28, -36, -13, 26, -7, -36, -63, 63, -56, -20], [12, 15, 63, 2, -51, -6, -57, 14, 63, -63, 30, 55, -60, -16, -16, -49], [15, 16, 38, 40, 19, 12, 63, 63, 18, 28, -63, 63, 60, -2, -63, 63], [-63, 33, 8, -27, 63, 63, -59, 7, 3, 46, -12, -9, 39, -2, -58, -12]]]]> : tensor<1x1x4x16xi8>
    %c_11 = stablehlo.constant dense<[-10254, 16102, 15681, -6061, 5779, 4329, -10240, 6256, 9269, 4483, -6516, 9135, -3098, 5353, -24415, -2268]> : tensor<16xi32>
    %cst_12 = stablehlo.constant dense<[4.51472559E-4, 6.87072345E-4, 3.76163662E-4, 6.01861393E-4, 5.08332741E-4, 6.22298277E-4, 3.66619613E-4, 1.99368194E-4, 4.87605081E-4, 5.14632906E-4, 4.86864155E-4, 5.22021262E-4, 4.25940147E-4, 9.502250e-04, 4.93260799E-4, 3.14051576E-4]> : tensor<16xf32>
    %c_13 = stablehlo.constant dense<"0xF4190230E9D318E4F2EE0EF8FBC1EBD0EBE526E718DD3B36F213F5141FDAF63FE8160D1B0A373FCBF9DB24DDE5F6E719DDFDC11BFE08E6D6D503EE2B00F70F1BFEC1DFEA2C1525FDE9061D36D60EDEF6EBE92D26140CD7CF110EEF3F0DEFECF00B1100E61CF12A17F3F0EE331F2A1EF735E5EFE7042EFBD10BFD3FDA1200FDF8C103F304E8E82223F70F243FF9FB0E0F2226F2C1101FF3D3EEDEE0F9EB27061434020B2BC1C60CE12F172C381811F51BF5E3FA1BF11BFCE92B05FCFB07E5F5FF05EFF21303CDFDD3C11EF013C1F6E22D1913FD08F02AF2E61B1034D90418FDC5EED8233313DEE6FDE21BDDE82B39ECF4F8C125F4E0FFF82AC8F010DCDBC103DFEBF8DADF1201DB0E21CDF41ACF04F0D7DDEA3BF2D73FEEDDE1FA0A260517152F220413DD0AC6D7F6F61CFC0B2434D2D0FE1DEA15F8FFE910C107F2CF0C1E2D2217F1171515F812F8F4D5C11C192CC125F0EC0DFCC1142033231815EC14211B1718ED20C13BFDF401FEDF18ECF1DCDEE3E3DBF52103E90AC4F6001CDC09D31821DC051B3024C3FF2301C1FFEEEF14F5F2CB3AE2E90800182909F71B2AFCFE1507D0E4360CE93F07C1FCE70D1ADB262309F3F7D106E6F13FC62DC60D0019E6C12F0A2602F618C408F1E3DAD41ED53907EC3FDED8E5FDE01A3FF93FC62138F2070C02FBC13FCDF71EDA12142129E82AC13FE7CEF5FEDD0A0ACDE9FFEFF8C1181211"> : tensor<1x1x16x32xi8>
    %c_14 = stablehlo.constant dense<[-8523, -9796, 7505, 19296, 11194, -36327, 20394, -23474, -14908, -22207, 4436, 38018, -21315, 33954, -36771, -1475, -12012, -25941, -9617, -4280, -20658, 19708, 9169, -21905, -9737, 2871, 7713, -43, 9513, -8848, 9655, 27365]> : tensor<32xi32>
    %cst_15 = stablehlo.constant dense<[3.36374913E-4, 3.96982534E-4, 4.53495391E-4, 3.01622087E-4, 3.64132196E-4, 2.44386843E-4, 3.40286264E-4, 2.22138653E-4, 5.39701781E-4, 2.30300386E-4, 4.04087274E-4, 3.56473844E-4, 2.3106896E-4, 3.58054502E-4, 3.24760622E-4, 3.19291576E-4, 2.93306395E-4, 3.11826443E-4, 4.22406796E-4, 4.65904479E-4, 4.46805585E-4, 2.92237062E-4, 5.55758539E-4, 1.73560446E-4, 4.00634832E-4, 4.93238564E-4, 1.41155644E-4, 3.14511155E-4, 4.37341834E-4, 3.65019456E-4, 5.21511887E-4, 2.37171844E-4]> : tensor<32xf32>
    %c_16 = stablehlo.constant dense<"0x13C104E61EEF1CF20FF2C1F50733E93F0FF634E03FE6F0F53FFB0431D9F4C1121B1A111E11F7F52DC709DE03063FF6370103FDE5040FF02700F4DF3FF9F7F33314FF2CE91113F7012505C7D60B05FCE632E5E10305F10A2DCBD20C1629E928F2F73C1CD90FFDFEE3F0FA07F7EEE13801050DE5E3350017DDC90CD4DEFF2AF111"> : tensor<1x1x16x8xi8>
    %c_17 = stablehlo.constant dense<[8067, -6891, -15978, -12870, 26125, 6603, -3283, 26266]> : tensor<8xi32>
    %cst_18 = stablehlo.constant dense<[2.92016339E-4, 4.20994416E-4, 4.15252376E-4, 3.45484936E-4, 5.5602967E-4, 4.41456417E-4, 3.25470377E-4, 3.36725672E-4]> : tensor<8xf32>
    %c_19 = stablehlo.constant dense<"0x03E4D0EFF407E206EE04F52B16170EF60CED1108F3FF00FAED1F1400EFF001F722DB1BEBED16E7F4F009E401E8CFFFE4F304DB1619F000EDEC08E61C09FA170800F9EA120AD816F60BF406170AF11A0A08F41A0BD8E9E303E1151A1E1D1719FD19140CF501160A01F61EDF07D6EC0C06060AE0E2E6DB18032418EC1424151B1818F5F0F50100EAF212EEEBFFD3F504F90C000CE4DC06D3E9EDF62C090CECD4193F0D190A0B1816F5F712D90413E512F8D503E509DCF7FA162ADECAFE03FA0000F3E7151711FFDF032D18D6EAE20D09E9F9F20D1136EEC1F5D4E03C00D406FBF428DD0218F1EE103FE9FDE5FEE0F007E3DAFFEE05ECF6FDFF34F1FBD11CFD16E2E4002D3FF51502FEDAF6F0F535F50C121717E5FF060DF53BF907E3E8E3F5231614C1EFEC28F012FCDADCECFADBF8F20306F71EF2E7FFD3062AD107FA070429EC0ED80301E60D24E7F1FAF7FBDDE701FA0DE520E9FAFE0BFE04F6120F010FE925F30AECE7D7C12AFC060604DD000BFBEC0307FEFC0704F8D2FBFCE5ED07E20418DAF02A2817FFF6FFFD1B1D131B0CF23905E405EE1E000800EDFEF0E5C1E8ECF710F7F3F80BE9F7EFDD061B140104092302EA0E0FF9E819F1E204192CFAFA06F4111103F40A19F1ED0A0FF804C4F406162B0B01F60D0E2D0AF7DEC1FFCE0ADCF414EC10270C0A0303DA0DE60C062121EAF1F72C24FD12F4E7E4FA1B0E06FEF3F7DE101DFBEEFB0E1DC9D721F9D8F2F61DCFF511FFE40400F90615FADA320614F813D6FF35FF1BFF29F5F81903EE03310604FE06DBE6E80615171C240E04FE01FA"> : tensor<3x3x8x8xi8>
    %c_20 = stablehlo.constant dense<[-12338, -49066, 3894, 19459, -48796, -31797, 20572, 5575]> : tensor<8xi32>
    %cst_21 = stablehlo.constant dense<[1.94689754E-4, 2.52039492E-4, 1.82412972E-4, 2.04699114E-4, 2.02499446E-4, 2.61426874E-4, 2.21945986E-4, 2.48178316E-4]> : tensor<8xf32>
    %c_22 = stablehlo.constant dense<"0x1EE00BD9030C11D7193128C137E715080E200AF13E3F3F1514352D2D01FE3F02FAEEC127FCE10708C1CAC1123C03131DF022181001CB30031B22F83FE7F13D1DE0FEFF3FF1C1100621EE0538F0E812C6F7FD35CF3F33FA2922F321C920FDCE0E3F2124ED2D32DED713EC08F7F4F2E0C1150D033F13C4DC14C1E2001912143EE0E3013021023F3F3F1306D1FC3F2A05EB3FCA04E31ACB092509E3E7FEEB293C39E3C1DCDAE1E0ED3D04E5ED101AC13F0C1438DEDC042DEBC118EA13CC29EEDC1D031C0E143F13F1EDF3D2203227EE0CF927C109F2F7D9E7FEF30C3FEA3FEB3CF1F8E30B1005E60EF3C23FDE01E828EBF501EA3FDEFC3701DDF63F04EDE4C1EB3F"> : tensor<1x1x8x32xi8>
    %c_23 = stablehlo.constant dense<[-1129, -10473, 2565, 9980, 8210, -1137, 6314, 3093, -5058, -5849, -9634, 7513, 24123, -7914, 10942, -13963, 17239, -636, 17138, -12546, 20332, 453, 3986, 2842, 3464, 8546, 16630, -2617, 10431, -7525, 26023, 18674]> : tensor<32xi32>
    %cst_24 = stablehlo.constant dense<[6.16592413E-4, 4.34990448E-4, 6.988390e-04, 5.28804609E-4, 4.06344305E-4, 5.10322745E-4, 4.16989875E-4, 4.97031724E-4, 4.24251193E-4, 3.63583531E-4, 4.75457724E-4, 3.72232345E-4, 4.18597891E-4, 2.04012933E-4, 5.78214065E-4, 5.840800e-04, 6.09334791E-4, 2.54624465E-4, 5.73389465E-4, 4.79571259E-4, 2.60616973E-4, 3.83508479E-4, 4.34946734E-4, 4.70109924E-4, 5.7422067E-4, 4.21232398E-4, 4.05224389E-4, 4.22101817E-4, 5.36611653E-4, 6.51971087E-4, 2.02773197E-4, 3.53157258E-4]> : tensor<32xf32>
    %c_25 = stablehlo.constant dense<"0x00E0C1FE00141410FDED053AD7FDC62024CFF8E21A1B0CDEDEE8EF01E8DBFBE02117D2F1DAEAFD01F505DA290FFD2E07E83F1ADD04EFF73D0AE00B1D190F1BEF08E20422151913F000C1CF133FF1FFDD11E111F811132B150F0BF606CB020508ECFB0EF60BE23604DF0007FEF8D7F0ECE3FFFBE7F1FCED3D21023216E81210EFF90006E2F2EFF0D91C0200180B342A04F324E61DFE0C0D22FD04F5C1F00B08CB"> : tensor<32x5xi8>
    %c_26 = stablehlo.constant dense<[20992, 14592, -3456, -11776, -32256]> : tensor<5xi32>
    %cst_27 = stablehlo.constant dense<[2.91461212E-4, 2.72341946E-4, 2.30015867E-4, 4.15256771E-4, 2.45126837E-4]> : tensor<5xf32>
    %cst_28 = stablehlo.constant dense<[-0.0321921408, -0.0285314173, -0.103162743, -0.0262099113, 0.0912291407]> : tensor<5xf32>
    %cst_29 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1x16x16x3xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<1x16x16x3xf32>
    %2 = call @round(%1) : (tensor<1x16x16x3xf32>) -> tensor<1x16x16x3xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<1x16x16x3xf32>
    %4 = stablehlo.add %2, %3 : tensor<1x16x16x3xf32>
    %c_31 = stablehlo.constant dense<-128> : tensor<i32>
    %c_32 = stablehlo.constant dense<127> : tensor<i32>
    %5 = call @clip(%4, %c_31, %c_32) : (tensor<1x16x16x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16x3xf32>
    %6 = stablehlo.convert %5 : (tensor<1x16x16x3xf32>) -> tensor<1x16x16x3xi8>
    %7 = stablehlo.convolution(%6, %c) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x16x16x3xi8>, tensor<7x7x3x4xi8>) -> tensor<1x8x8x4xi32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [3] : (tensor<4xi32>) -> tensor<1x1x1x4xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xi32>) -> tensor<1x8x8x4xi32>
    %10 = stablehlo.add %7, %9 : tensor<1x8x8x4xi32>
    %11 = stablehlo.convert %10 : (tensor<1x8x8x4xi32>) -> tensor<1x8x8x4xf32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<1x8x8x4xf32>
    %15 = call @relu(%14) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    %cst_33 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1x8x8x4xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<1x8x8x4xf32>
    %18 = call @round_0(%17) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    %cst_34 = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1x8x8x4xf32>
    %20 = stablehlo.add %18, %19 : tensor<1x8x8x4xf32>
    %c_35 = stablehlo.constant dense<-128> : tensor<i32>
    %c_36 = stablehlo.constant dense<127> : tensor<i32>
    %21 = call @clip_1(%20, %c_35, %c_36) : (tensor<1x8x8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x4xf32>
    %22 = stablehlo.convert %21 : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xi8>
    %c_37 = stablehlo.constant dense<-128> : tensor<i8>
    %23 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i8>) -> tensor<i8>
    %24 = "stablehlo.reduce_window"(%22, %23) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<i8>, %arg2: tensor<i8>):
      %218 = stablehlo.maximum %arg1, %arg2 : tensor<i8>
      stablehlo.return %218 : tensor<i8>
    }) : (tensor<1x8x8x4xi8>, tensor<i8>) -> tensor<1x4x4x4xi8>
    %c_38 = stablehlo.constant dense<-128> : tensor<i8>
    %25 = stablehlo.pad %24, %c_38, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<1x4x4x4xi8>, tensor<i8>) -> tensor<1x4x4x4xi8>
    %26 = stablehlo.convolution(%25, %c_1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x4xi8>, tensor<1x1x4x16xi8>) -> tensor<1x4x4x16xi32>
    %27 = stablehlo.broadcast_in_dim %c_2, dims = [3] : (tensor<16xi32>) -> tensor<1x1x1x16xi32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xi32>) -> tensor<1x4x4x16xi32>
    %29 = stablehlo.add %26, %28 : tensor<1x4x4x16xi32>
    %30 = stablehlo.convert %29 : (tensor<1x4x4x16xi32>) -> tensor<1x4x4x16xf32>
    %31 = stablehlo.broadcast_in_dim %cst_3, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<1x4x4x16xf32>
    %33 = stablehlo.multiply %30, %32 : tensor<1x4x4x16xf32>
    %cst_39 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<1x4x4x16xf32>
    %36 = call @round_2(%35) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %38 = stablehlo.add %36, %37 : tensor<1x4x4x16xf32>
    %c_41 = stablehlo.constant dense<-128> : tensor<i32>
    %c_42 = stablehlo.constant dense<127> : tensor<i32>
    %39 = call @clip_3(%38, %c_41, %c_42) : (tensor<1x4x4x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x16xf32>
    %40 = stablehlo.convert %39 : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xi8>
    %c_43 = stablehlo.constant dense<-128> : tensor<i8>
    %41 = stablehlo.pad %24, %c_43, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<1x4x4x4xi8>, tensor<i8>) -> tensor<1x4x4x4xi8>
    %42 = stablehlo.convolution(%41, %c_4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x4xi8>, tensor<1x1x4x4xi8>) -> tensor<1x4x4x4xi32>
    %43 = stablehlo.broadcast_in_dim %c_5, dims = [3] : (tensor<4xi32>) -> tensor<1x1x1x4xi32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xi32>) -> tensor<1x4x4x4xi32>
    %45 = stablehlo.add %42, %44 : tensor<1x4x4x4xi32>
    %46 = stablehlo.convert %45 : (tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xf32>
    %47 = stablehlo.broadcast_in_dim %cst_6, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %49 = stablehlo.multiply %46, %48 : tensor<1x4x4x4xf32>
    %50 = call @relu_4(%49) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %cst_44 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<1x4x4x4xf32>
    %52 = stablehlo.multiply %50, %51 : tensor<1x4x4x4xf32>
    %53 = call @round_5(%52) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %cst_45 = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<1x4x4x4xf32>
    %55 = stablehlo.add %53, %54 : tensor<1x4x4x4xf32>
    %c_46 = stablehlo.constant dense<-128> : tensor<i32>
    %c_47 = stablehlo.constant dense<127> : tensor<i32>
    %56 = call @clip_6(%55, %c_46, %c_47) : (tensor<1x4x4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x4xf32>
    %57 = stablehlo.convert %56 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xi8>
    %c_48 = stablehlo.constant dense<-128> : tensor<i8>
    %58 = stablehlo.pad %57, %c_48, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<1x4x4x4xi8>, tensor<i8>) -> tensor<1x6x6x4xi8>
    %59 = stablehlo.convolution(%58, %c_7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x6x4xi8>, tensor<3x3x4x4xi8>) -> tensor<1x4x4x4xi32>
    %60 = stablehlo.broadcast_in_dim %c_8, dims = [3] : (tensor<4xi32>) -> tensor<1x1x1x4xi32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xi32>) -> tensor<1x4x4x4xi32>
    %62 = stablehlo.add %59, %61 : tensor<1x4x4x4xi32>
    %63 = stablehlo.convert %62 : (tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xf32>
    %64 = stablehlo.broadcast_in_dim %cst_9, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %66 = stablehlo.multiply %63, %65 : tensor<1x4x4x4xf32>
    %67 = call @relu_4(%66) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %cst_49 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<1x4x4x4xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<1x4x4x4xf32>
    %70 = call @round_5(%69) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %cst_50 = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<1x4x4x4xf32>
    %72 = stablehlo.add %70, %71 : tensor<1x4x4x4xf32>
    %c_51 = stablehlo.constant dense<-128> : tensor<i32>
    %c_52 = stablehlo.constant dense<127> : tensor<i32>
    %73 = call @clip_6(%72, %c_51, %c_52) : (tensor<1x4x4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x4xf32>
    %74 = stablehlo.convert %73 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xi8>
    %c_53 = stablehlo.constant dense<-128> : tensor<i8>
    %75 = stablehlo.pad %74, %c_53, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<1x4x4x4xi8>, tensor<i8>) -> tensor<1x4x4x4xi8>
    %76 = stablehlo.convolution(%75, %c_10) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x4xi8>, tensor<1x1x4x16xi8>) -> tensor<1x4x4x16xi32>
    %77 = stablehlo.broadcast_in_dim %c_11, dims = [3] : (tensor<16xi32>) -> tensor<1x1x1x16xi32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xi32>) -> tensor<1x4x4x16xi32>
    %79 = stablehlo.add %76, %78 : tensor<1x4x4x16xi32>
    %80 = stablehlo.convert %79 : (tensor<1x4x4x16xi32>) -> tensor<1x4x4x16xf32>
    %81 = stablehlo.broadcast_in_dim %cst_12, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<1x4x4x16xf32>
    %83 = stablehlo.multiply %80, %82 : tensor<1x4x4x16xf32>
    %cst_54 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %85 = stablehlo.multiply %83, %84 : tensor<1x4x4x16xf32>
    %86 = call @round_2(%85) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %88 = stablehlo.add %86, %87 : tensor<1x4x4x16xf32>
    %c_56 = stablehlo.constant dense<-128> : tensor<i32>
    %c_57 = stablehlo.constant dense<127> : tensor<i32>
    %89 = call @clip_3(%88, %c_56, %c_57) : (tensor<1x4x4x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x16xf32>
    %90 = stablehlo.convert %89 : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xi8>
    %91 = stablehlo.convert %90 : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %93 = stablehlo.subtract %91, %92 : tensor<1x4x4x16xf32>
    %cst_59 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %95 = stablehlo.multiply %93, %94 : tensor<1x4x4x16xf32>
    %96 = stablehlo.convert %40 : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %98 = stablehlo.subtract %96, %97 : tensor<1x4x4x16xf32>
    %cst_61 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %100 = stablehlo.multiply %98, %99 : tensor<1x4x4x16xf32>
    %101 = stablehlo.add %95, %100 : tensor<1x4x4x16xf32>
    %102 = call @relu_7(%101) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
    %cst_62 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %104 = stablehlo.multiply %102, %103 : tensor<1x4x4x16xf32>
    %105 = call @round_2(%104) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
    %cst_63 = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %107 = stablehlo.add %105, %106 : tensor<1x4x4x16xf32>
    %c_64 = stablehlo.constant dense<-128> : tensor<i32>
    %c_65 = stablehlo.constant dense<127> : tensor<i32>
    %108 = call @clip_3(%107, %c_64, %c_65) : (tensor<1x4x4x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x16xf32>
    %109 = stablehlo.convert %108 : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xi8>
    %c_66 = stablehlo.constant dense<-128> : tensor<i8>
    %110 = stablehlo.pad %109, %c_66, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<1x4x4x16xi8>, tensor<i8>) -> tensor<1x4x4x16xi8>
    %111 = stablehlo.convolution(%110, %c_13) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x16xi8>, tensor<1x1x16x32xi8>) -> tensor<1x2x2x32xi32>
    %112 = stablehlo.broadcast_in_dim %c_14, dims = [3] : (tensor<32xi32>) -> tensor<1x1x1x32xi32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xi32>) -> tensor<1x2x2x32xi32>
    %114 = stablehlo.add %111, %113 : tensor<1x2x2x32xi32>
    %115 = stablehlo.convert %114 : (tensor<1x2x2x32xi32>) -> tensor<1x2x2x32xf32>
    %116 = stablehlo.broadcast_in_dim %cst_15, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x2x2x32xf32>
    %118 = stablehlo.multiply %115, %117 : tensor<1x2x2x32xf32>
    %cst_67 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %120 = stablehlo.multiply %118, %119 : tensor<1x2x2x32xf32>
    %121 = call @round_8(%120) : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %123 = stablehlo.add %121, %122 : tensor<1x2x2x32xf32>
    %c_69 = stablehlo.constant dense<-128> : tensor<i32>
    %c_70 = stablehlo.constant dense<127> : tensor<i32>
    %124 = call @clip_9(%123, %c_69, %c_70) : (tensor<1x2x2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x32xf32>
    %125 = stablehlo.convert %124 : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xi8>
    %c_71 = stablehlo.constant dense<-128> : tensor<i8>
    %126 = stablehlo.pad %109, %c_71, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<1x4x4x16xi8>, tensor<i8>) -> tensor<1x4x4x16xi8>
    %127 = stablehlo.convolution(%126, %c_16) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x16xi8>, tensor<1x1x16x8xi8>) -> tensor<1x4x4x8xi32>
    %128 = stablehlo.broadcast_in_dim %c_17, dims = [3] : (tensor<8xi32>) -> tensor<1x1x1x8xi32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xi32>) -> tensor<1x4x4x8xi32>
    %130 = stablehlo.add %127, %129 : tensor<1x4x4x8xi32>
    %131 = stablehlo.convert %130 : (tensor<1x4x4x8xi32>) -> tensor<1x4x4x8xf32>
    %132 = stablehlo.broadcast_in_dim %cst_18, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x4x4x8xf32>
    %134 = stablehlo.multiply %131, %133 : tensor<1x4x4x8xf32>
    %135 = call @relu_10(%134) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
    %cst_72 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %137 = stablehlo.multiply %135, %136 : tensor<1x4x4x8xf32>
    %138 = call @round_11(%137) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
    %cst_73 = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %140 = stablehlo.add %138, %139 : tensor<1x4x4x8xf32>
    %c_74 = stablehlo.constant dense<-128> : tensor<i32>
    %c_75 = stablehlo.constant dense<127> : tensor<i32>
    %141 = call @clip_12(%140, %c_74, %c_75) : (tensor<1x4x4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x8xf32>
    %142 = stablehlo.convert %141 : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xi8>
    %c_76 = stablehlo.constant dense<-128> : tensor<i8>
    %143 = stablehlo.pad %142, %c_76, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<1x4x4x8xi8>, tensor<i8>) -> tensor<1x6x6x8xi8>
    %144 = stablehlo.convolution(%143, %c_19) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x6x8xi8>, tensor<3x3x8x8xi8>) -> tensor<1x2x2x8xi32>
    %145 = stablehlo.broadcast_in_dim %c_20, dims = [3] : (tensor<8xi32>) -> tensor<1x1x1x8xi32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xi32>) -> tensor<1x2x2x8xi32>
    %147 = stablehlo.add %144, %146 : tensor<1x2x2x8xi32>
    %148 = stablehlo.convert %147 : (tensor<1x2x2x8xi32>) -> tensor<1x2x2x8xf32>
    %149 = stablehlo.broadcast_in_dim %cst_21, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %151 = stablehlo.multiply %148, %150 : tensor<1x2x2x8xf32>
    %152 = call @relu_13(%151) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %cst_77 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %154 = stablehlo.multiply %152, %153 : tensor<1x2x2x8xf32>
    %155 = call @round_14(%154) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %cst_78 = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %157 = stablehlo.add %155, %156 : tensor<1x2x2x8xf32>
    %c_79 = stablehlo.constant dense<-128> : tensor<i32>
    %c_80 = stablehlo.constant dense<127> : tensor<i32>
    %158 = call @clip_15(%157, %c_79, %c_80) : (tensor<1x2x2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x8xf32>
    %159 = stablehlo.convert %158 : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xi8>
    %c_81 = stablehlo.constant dense<-128> : tensor<i8>
    %160 = stablehlo.pad %159, %c_81, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<1x2x2x8xi8>, tensor<i8>) -> tensor<1x2x2x8xi8>
    %161 = stablehlo.convolution(%160, %c_22) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x2x8xi8>, tensor<1x1x8x32xi8>) -> tensor<1x2x2x32xi32>
    %162 = stablehlo.broadcast_in_dim %c_23, dims = [3] : (tensor<32xi32>) -> tensor<1x1x1x32xi32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xi32>) -> tensor<1x2x2x32xi32>
    %164 = stablehlo.add %161, %163 : tensor<1x2x2x32xi32>
    %165 = stablehlo.convert %164 : (tensor<1x2x2x32xi32>) -> tensor<1x2x2x32xf32>
    %166 = stablehlo.broadcast_in_dim %cst_24, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x2x2x32xf32>
    %168 = stablehlo.multiply %165, %167 : tensor<1x2x2x32xf32>
    %cst_82 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %170 = stablehlo.multiply %168, %169 : tensor<1x2x2x32xf32>
    %171 = call @round_8(%170) : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %173 = stablehlo.add %171, %172 : tensor<1x2x2x32xf32>
    %c_84 = stablehlo.constant dense<-128> : tensor<i32>
    %c_85 = stablehlo.constant dense<127> : tensor<i32>
    %174 = call @clip_9(%173, %c_84, %c_85) : (tensor<1x2x2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x32xf32>
    %175 = stablehlo.convert %174 : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xi8>
    %176 = stablehlo.convert %175 : (tensor<1x2x2x32xi8>) -> tensor<1x2x2x32xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %178 = stablehlo.subtract %176, %177 : tensor<1x2x2x32xf32>
    %cst_87 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %180 = stablehlo.multiply %178, %179 : tensor<1x2x2x32xf32>
    %181 = stablehlo.convert %125 : (tensor<1x2x2x32xi8>) -> tensor<1x2x2x32xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %183 = stablehlo.subtract %181, %182 : tensor<1x2x2x32xf32>
    %cst_89 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %185 = stablehlo.multiply %183, %184 : tensor<1x2x2x32xf32>
    %186 = stablehlo.add %180, %185 : tensor<1x2x2x32xf32>
    %187 = call @relu_16(%186) : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %cst_90 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %189 = stablehlo.multiply %187, %188 : tensor<1x2x2x32xf32>
    %190 = call @round_8(%189) : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %cst_91 = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %192 = stablehlo.add %190, %191 : tensor<1x2x2x32xf32>
    %c_92 = stablehlo.constant dense<-128> : tensor<i32>
    %c_93 = stablehlo.constant dense<127> : tensor<i32>
    %193 = call @clip_9(%192, %c_92, %c_93) : (tensor<1x2x2x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x32xf32>
    %194 = stablehlo.convert %193 : (tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xi8>
    %195 = stablehlo.convert %194 : (tensor<1x2x2x32xi8>) -> tensor<1x2x2x32xf32>
    %cst_94 = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %197 = stablehlo.subtract %195, %196 : tensor<1x2x2x32xf32>
    %cst_95 = stablehlo.constant dense<3.125000e-02> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %199 = stablehlo.multiply %197, %198 : tensor<1x2x2x32xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.reduce(%199 init: %cst_96) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x2x2x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    %cst_97 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %202 = stablehlo.divide %200, %201 : tensor<1x32xf32>
    %cst_98 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %204 = stablehlo.multiply %202, %203 : tensor<1x32xf32>
    %205 = call @round_17(%204) : (tensor<1x32xf32>) -> tensor<1x32xf32>
    %cst_99 = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %207 = stablehlo.add %205, %206 : tensor<1x32xf32>
    %c_100 = stablehlo.constant dense<-128> : tensor<i32>
    %c_101 = stablehlo.constant dense<127> : tensor<i32>
    %208 = call @clip_18(%207, %c_100, %c_101) : (tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
    %209 = stablehlo.convert %208 : (tensor<1x32xf32>) -> tensor<1x32xi8>
    %210 = stablehlo.dot_general %209, %c_25, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xi8>, tensor<32x5xi8>) -> tensor<1x5xi32>
    %211 = stablehlo.broadcast_in_dim %c_26, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %212 = stablehlo.add %210, %211 : tensor<1x5xi32>
    %213 = stablehlo.convert %212 : (tensor<1x5xi32>) -> tensor<1x5xf32>
    %214 = stablehlo.broadcast_in_dim %cst_27, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %215 = stablehlo.multiply %213, %214 : tensor<1x5xf32>
    %216 = stablehlo.broadcast_in_dim %cst_28, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %217 = stablehlo.add %215, %216 : tensor<1x5xf32>
    return %217 : tensor<1x5xf32>
  }
  func.func private @round(%arg0: tensor<1x16x16x3xf32>) -> tensor<1x16x16x3xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x16x16x3xf32>
    return %0 : tensor<1x16x16x3xf32>
  }
  func.func private @clip(%arg0: tensor<1x16x16x3xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x16x16x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x16x16x3xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x16x16x3xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x16x16x3xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x16x16x3xf32>
    return %5 : tensor<1x16x16x3xf32>
  }
  func.func private @relu(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x8x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x8x8x4xf32>
    return %1 : tensor<1x8x8x4xf32>
  }
  func.func private @round_0(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x8x8x4xf32>
    return %0 : tensor<1x8x8x4xf32>
  }
  func.func private @clip_1(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x8x8x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x8x8x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x8x8x4xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x8x8x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x8x8x4xf32>
    return %5 : tensor<1x8x8x4xf32>
  }
  func.func private @round_2(%arg0: tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x4x4x16xf32>
    return %0 : tensor<1x4x4x16xf32>
  }
  func.func private @clip_3(%arg0: tensor<1x4x4x16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x4x4x16xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x4x4x16xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x4x4x16xf32>
    return %5 : tensor<1x4x4x16xf32>
  }
  func.func private @relu_4(%arg0: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x4x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x4x4x4xf32>
    return %1 : tensor<1x4x4x4xf32>
  }
  func.func private @round_5(%arg0: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x4x4x4xf32>
    return %0 : tensor<1x4x4x4xf32>
  }
  func.func private @clip_6(%arg0: tensor<1x4x4x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x4x4x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x4x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x4x4x4xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x4x4x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x4x4x4xf32>
    return %5 : tensor<1x4x4x4xf32>
  }
  func.func private @relu_7(%arg0: tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x4x4x16xf32>
    return %1 : tensor<1x4x4x16xf32>
  }
  func.func private @round_8(%arg0: tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x2x2x32xf32>
    return %0 : tensor<1x2x2x32xf32>
  }
  func.func private @clip_9(%arg0: tensor<1x2x2x32xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x2x2x32xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x2x2x32xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x2x2x32xf32>
    return %5 : tensor<1x2x2x32xf32>
  }
  func.func private @relu_10(%arg0: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x4x4x8xf32>
    return %1 : tensor<1x4x4x8xf32>
  }
  func.func private @round_11(%arg0: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x4x4x8xf32>
    return %0 : tensor<1x4x4x8xf32>
  }
  func.func private @clip_12(%arg0: tensor<1x4x4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x4x4x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x4x4x8xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x4x4x8xf32>
    return %5 : tensor<1x4x4x8xf32>
  }
  func.func private @relu_13(%arg0: tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x2x2x8xf32>
    return %1 : tensor<1x2x2x8xf32>
  }
  func.func private @round_14(%arg0: tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x2x2x8xf32>
    return %0 : tensor<1x2x2x8xf32>
  }
  func.func private @clip_15(%arg0: tensor<1x2x2x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x2x2x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x2x2x8xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x2x2x8xf32>
    return %5 : tensor<1x2x2x8xf32>
  }
  func.func private @relu_16(%arg0: tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x2x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x2x2x32xf32>
    return %1 : tensor<1x2x2x32xf32>
  }
  func.func private @round_17(%arg0: tensor<1x32xf32>) -> tensor<1x32xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x32xf32>
    return %0 : tensor<1x32xf32>
  }
  func.func private @clip_18(%arg0: tensor<1x32xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x32xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x32xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x32xf32>
    return %5 : tensor<1x32xf32>
  }
}
