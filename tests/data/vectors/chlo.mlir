// vector: acos f64
// ops: acos
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, 3.141592653589793, 2.4188584057763776, 2.0943951023931957, 1.5707963267948966, 1.5707963267948966, 1.4454684956268313, 1.0471975511965979, 0.7227342478134157, 0, nan, nan, nan, nan, nan, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.acos %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: acos f32
// ops: acos
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, 3.1415927410125732, 2.418858289718628, 2.094395160675049, 1.5707963705062866, 1.5707963705062866, 1.445468544960022, 1.0471975803375244, 0.722734272480011, 0, nan, nan, nan, nan, nan, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.acos %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: acos bf16
// ops: acos
// types: bf16
// input: ELT[17] {-inf, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, inf, nan}
// expect: ELT[17] {nan, nan, nan, 3.140625, 2.421875, 2.09375, 1.5703125, 1.5703125, 1.4453125, 1.046875, 0.72265625, 0, nan, nan, nan, nan, nan}
// rtol: 0.008
func.func @main(%x0: tensor<17xELT>) -> tensor<17xELT> {
  %r = chlo.acos %x0 : tensor<17xELT> -> tensor<17xELT>
  return %r : tensor<17xELT>
}
// -----
// vector: acosh f64
// ops: acosh
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, 0, 0.9624236501192069, 1.3169578969248168, 1.762747174039086, 3.7129766511733946, inf, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.acosh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: acosh f32
// ops: acosh
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, 0, 0.9624236226081848, 1.316957950592041, 1.7627471685409546, 3.7129766941070557, inf, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.acosh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: asin f64
// ops: asin
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, -1.5707963267948966, -0.848062078981481, -0.5235987755982989, -0, 0, 0.1253278311680654, 0.5235987755982989, 0.848062078981481, 1.5707963267948966, nan, nan, nan, nan, nan, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.asin %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: asin f32
// ops: asin
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, -1.5707963705062866, -0.8480620980262756, -0.5235987901687622, -0, 0, 0.12532782554626465, 0.5235987901687622, 0.8480620980262756, 1.5707963705062866, nan, nan, nan, nan, nan, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.asin %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: asinh f64
// ops: asinh
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {-inf, -3.714166420572117, -1.8184464592320668, -1.1947632172871092, -0.881373587019543, -0.6931471805599453, -0.48121182505960347, -0, 0, 0.12467674692144275, 0.48121182505960347, 0.6931471805599453, 0.881373587019543, 1.1947632172871092, 1.4436354751788103, 1.8184464592320668, 3.714166420572117, inf, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.asinh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: asinh f32
// ops: asinh
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {-inf, -3.7141664028167725, -1.8184465169906616, -1.19476318359375, -0.8813735842704773, -0.6931471824645996, -0.4812118113040924, -0, 0, 0.12467674911022186, 0.4812118113040924, 0.6931471824645996, 0.8813735842704773, 1.19476318359375, 1.4436354637145996, 1.8184465169906616, 3.7141664028167725, inf, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.asinh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: asinh f16
// ops: asinh
// types: f16
// input: ELT[17] {-inf, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, inf, nan}
// expect: ELT[17] {-inf, -1.818359375, -1.1943359375, -0.88134765625, -0.693359375, -0.481201171875, -0, 0, 0.12469482421875, 0.481201171875, 0.693359375, 0.88134765625, 1.1943359375, 1.443359375, 1.818359375, inf, nan}
// rtol: 0.002
func.func @main(%x0: tensor<17xELT>) -> tensor<17xELT> {
  %r = chlo.asinh %x0 : tensor<17xELT> -> tensor<17xELT>
  return %r : tensor<17xELT>
}
// -----
// vector: atan f64
// ops: atan
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {-1.5707963267948966, -1.522054475484965, -1.2490457723982544, -0.982793723247329, -0.7853981633974483, -0.6435011087932844, -0.4636476090008061, -0, 0, 0.12435499454676144, 0.4636476090008061, 0.6435011087932844, 0.7853981633974483, 0.982793723247329, 1.1071487177940904, 1.2490457723982544, 1.522054475484965, 1.5707963267948966, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.atan %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: atan f32
// ops: atan
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {-1.5707963705062866, -1.5220544338226318, -1.249045729637146, -0.9827937483787537, -0.7853981852531433, -0.6435011029243469, -0.46364760398864746, -0, 0, 0.12435499578714371, 0.46364760398864746, 0.6435011029243469, 0.7853981852531433, 0.9827937483787537, 1.1071487665176392, 1.249045729637146, 1.5220544338226318, 1.5707963705062866, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.atan %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: atanh f64
// ops: atanh
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, -inf, -0.9729550745276566, -0.5493061443340549, -0, 0, 0.12565721414045303, 0.5493061443340549, 0.9729550745276566, inf, nan, nan, nan, nan, nan, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.atanh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: atanh f32
// ops: atanh
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, -inf, -0.972955048084259, -0.5493061542510986, -0, 0, 0.12565721571445465, 0.5493061542510986, 0.972955048084259, inf, nan, nan, nan, nan, nan, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.atanh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: atanh f8e5m2
// ops: atanh
// types: f8e5m2
// input: ELT[17] {-inf, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, inf, nan}
// expect: ELT[17] {nan, nan, nan, -inf, -1.0, -0.5, -0, 0, 0.125, 0.5, 1.0, inf, nan, nan, nan, nan, nan}
// rtol: 0.26
func.func @main(%x0: tensor<17xELT>) -> tensor<17xELT> {
  %r = chlo.atanh %x0 : tensor<17xELT> -> tensor<17xELT>
  return %r : tensor<17xELT>
}
// -----
// vector: bessel_i1e f64
// ops: bessel_i1e
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {-0, -0.08647411349408725, -0.19682671329730086, -0.21903938742092569, -0.20791041534970844, -0.18988779330485503, -0.1564208031848717, -0, 0, 0.05526385324160324, 0.1564208031848717, 0.18988779330485503, 0.20791041534970844, 0.21903938742092569, 0.21526928924893765, 0.19682671329730086, 0.08647411349408725, 0, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.bessel_i1e %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: bessel_i1e f32
// ops: bessel_i1e
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {-0, -0.08647411316633224, -0.19682671129703522, -0.21903938055038452, -0.207910418510437, -0.18988779187202454, -0.15642079710960388, -0, 0, 0.05526385456323624, 0.15642079710960388, 0.18988779187202454, 0.207910418510437, 0.21903938055038452, 0.2152692824602127, 0.19682671129703522, 0.08647411316633224, 0, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.bessel_i1e %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: cosh f64
// ops: cosh
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {inf, 399951088.7377527, 10.067661995777765, 2.352409615243247, 1.5430806348152437, 1.2946832846768448, 1.1276259652063807, 1.0, 1.0, 1.0078226778257109, 1.1276259652063807, 1.2946832846768448, 1.5430806348152437, 2.352409615243247, 3.7621956910836314, 10.067661995777765, 399951088.7377527, inf, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.cosh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: cosh f32
// ops: cosh
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {inf, 399951104.0, 10.067662239074707, 2.352409601211548, 1.5430806875228882, 1.2946833372116089, 1.1276259422302246, 1.0, 1.0, 1.0078226327896118, 1.1276259422302246, 1.2946833372116089, 1.5430806875228882, 2.352409601211548, 3.762195587158203, 10.067662239074707, 399951104.0, inf, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.cosh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: digamma f64
// ops: digamma
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, 3.044616882512525, nan, 0.7031566406452432, nan, -2.894120200042932, 0.03648997397857652, nan, nan, -8.388492663295855, -1.9635100260214235, -1.0858608797864722, -0.5772156649015329, 0.03648997397857652, 0.42278433509846713, 0.9227843350984671, 2.9958363947076467, inf, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.digamma %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: digamma f32
// ops: digamma
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, 3.044616937637329, nan, 0.7031566500663757, nan, -2.894120216369629, 0.036489974707365036, nan, nan, -8.388492584228516, -1.9635100364685059, -1.0858608484268188, -0.5772156715393066, 0.036489974707365036, 0.42278432846069336, 0.9227843284606934, 2.9958364963531494, inf, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.digamma %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: erf_inv f64
// ops: erf_inv
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, -inf, -0.8134198475976185, -0.4769362762044699, -0, 0, 0.11123545184094996, 0.4769362762044699, 0.8134198475976185, inf, nan, nan, nan, nan, nan, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.erf_inv %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: erf_inv f32
// ops: erf_inv
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {nan, nan, nan, nan, -inf, -0.8134198188781738, -0.4769362807273865, -0, 0, 0.11123545467853546, 0.4769362807273865, 0.8134198188781738, inf, nan, nan, nan, nan, nan, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.erf_inv %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: erf_inv f8e5m2
// ops: erf_inv
// types: f8e5m2
// input: ELT[17] {-inf, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, inf, nan}
// expect: ELT[17] {nan, nan, nan, -inf, -0.875, -0.5, -0, 0, 0.109375, 0.5, 0.875, inf, nan, nan, nan, nan, nan}
// rtol: 0.26
func.func @main(%x0: tensor<17xELT>) -> tensor<17xELT> {
  %r = chlo.erf_inv %x0 : tensor<17xELT> -> tensor<17xELT>
  return %r : tensor<17xELT>
}
// -----
// vector: erfc f64
// ops: erfc
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {2.0, 2.0, 1.9999779095030015, 1.9661051464753108, 1.8427007929497148, 1.7111556336535152, 1.5204998778130465, 1.0, 1.0, 0.8596837951986662, 0.4795001221869535, 0.28884436634648486, 0.15729920705028513, 0.033894853524689274, 0.004677734981047266, 2.209049699858544e-05, 8.450842369572458e-185, 0, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.erfc %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: erfc f32
// ops: erfc
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {2.0, 2.0, 1.999977946281433, 1.9661051034927368, 1.8427008390426636, 1.711155652999878, 1.5204998254776, 1.0, 1.0, 0.8596838116645813, 0.4795001149177551, 0.28884437680244446, 0.15729920566082, 0.0338948518037796, 0.004677734803408384, 2.2090496713644825e-05, 0, 0, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.erfc %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: erfc f16
// ops: erfc
// types: f16
// input: ELT[17] {-inf, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, inf, nan}
// expect: ELT[17] {2.0, 2.0, 1.9658203125, 1.8427734375, 1.7109375, 1.5205078125, 1.0, 1.0, 0.85986328125, 0.4794921875, 0.288818359375, 0.1573486328125, 0.033905029296875, 0.00467681884765625, 2.2113323211669922e-05, 0, nan}
// rtol: 0.002
func.func @main(%x0: tensor<17xELT>) -> tensor<17xELT> {
  %r = chlo.erfc %x0 : tensor<17xELT> -> tensor<17xELT>
  return %r : tensor<17xELT>
}
// -----
// vector: lgamma f64
// ops: lgamma
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {inf, -42.70719597482576, inf, 0.860047015376481, inf, 1.5757045971498584, 1.2655121234846454, inf, inf, 2.0194183575537963, 0.5723649429247001, 0.20328095143129538, 0, -0.12078223763524522, 0, 0.6931471805599453, 40.8315009745308, inf, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.lgamma %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: lgamma f32
// ops: lgamma
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {inf, -42.70719528198242, inf, 0.8600470423698425, inf, 1.575704574584961, 1.2655121088027954, inf, inf, 2.019418239593506, 0.5723649263381958, 0.2032809555530548, 0, -0.12078224122524261, 0, 0.6931471824645996, 40.83150100708008, inf, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.lgamma %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: lgamma bf16
// ops: lgamma
// types: bf16
// input: ELT[17] {-inf, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, inf, nan}
// expect: ELT[17] {inf, inf, 0.859375, inf, 1.578125, 1.265625, inf, inf, 2.015625, 0.57421875, 0.203125, 0, -0.12060546875, 0, 0.69140625, inf, nan}
// rtol: 0.008
func.func @main(%x0: tensor<17xELT>) -> tensor<17xELT> {
  %r = chlo.lgamma %x0 : tensor<17xELT> -> tensor<17xELT>
  return %r : tensor<17xELT>
}
// -----
// vector: sinh f64
// ops: sinh
// types: f64
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {-inf, -399951088.7377527, -10.017874927409903, -2.1292794550948173, -1.1752011936438014, -0.82231673193583, -0.5210953054937474, -0, 0, 0.12532577524111546, 0.5210953054937474, 0.82231673193583, 1.1752011936438014, 2.1292794550948173, 3.6268604078470186, 10.017874927409903, 399951088.7377527, inf, nan}
// rtol: 4e-15
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.sinh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: sinh f32
// ops: sinh
// types: f32
// input: ELT[19] {-inf, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0, 0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, inf, nan}
// expect: ELT[19] {-inf, -399951104.0, -10.017874717712402, -2.129279375076294, -1.175201177597046, -0.8223167061805725, -0.5210952758789062, -0, 0, 0.1253257691860199, 0.5210952758789062, 0.8223167061805725, 1.175201177597046, 2.129279375076294, 3.6268603801727295, 10.017874717712402, 399951104.0, inf, nan}
// rtol: 2e-06
// atol: 1e-30
func.func @main(%x0: tensor<19xELT>) -> tensor<19xELT> {
  %r = chlo.sinh %x0 : tensor<19xELT> -> tensor<19xELT>
  return %r : tensor<19xELT>
}
// -----
// vector: acos c64
// ops: acos
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(1.0691874735193958, -0.2813960562452928), (1.7918149624177804, -1.4657153519472905), (0.48214808473382775, 1.8902413596022003), (3.0696105860825678, 1.3199506863946082), (1.570089220009587, -0.8813737637962662)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.acos %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: acos c128
// ops: acos
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(1.0691874735193958, -0.2813960562452928), (1.7918149624177804, -1.4657153519472905), (0.48214808473382775, 1.8902413596022003), (3.0696105860825678, 1.3199506863946082), (1.5700892200431729, -0.8813737637962493)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.acos %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: acosh c64
// ops: acosh
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(0.2813960562452928, 1.0691874735193958), (1.4657153519472905, 1.7918149624177804), (1.8902413596022003, -0.48214808473382775), (1.3199506863946082, -3.0696105860825678), (0.8813737637962662, 1.570089220009587)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.acosh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: acosh c128
// ops: acosh
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.2813960562452928, 1.0691874735193958), (1.4657153519472905, 1.7918149624177804), (1.8902413596022003, -0.48214808473382775), (1.3199506863946082, -3.0696105860825678), (0.8813737637962493, 1.5700892200431729)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.acosh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: asin c64
// ops: asin
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(0.5016088532755008, 0.2813960562452928), (-0.22101863562288385, 1.4657153519472905), (1.0886482420610688, -1.8902413596022003), (-1.4988142592876712, -1.3199506863946082), (0.0007071067853095163, 0.8813737637962662)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.asin %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: asin c128
// ops: asin
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.5016088532755008, 0.2813960562452928), (-0.22101863562288385, 1.4657153519472905), (1.0886482420610688, -1.8902413596022003), (-1.4988142592876712, -1.3199506863946082), (0.0007071067517237506, 0.8813737637962493)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.asin %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: asinh c64
// ops: asinh
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(0.4926756834207706, 0.2243284526346675), (-1.3618009008578458, 1.2930420702371828), (1.9168395294689364, -0.44656704907177), (-1.4450319254525599, -0.055860956954364105), (0.03162541199115212, 1.539176185266534)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.asinh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: asinh c128
// ops: asinh
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.4926756834207706, 0.2243284526346675), (-1.3618009008578458, 1.2930420702371828), (1.9168395294689364, -0.44656704907177), (-1.4450319254525599, -0.055860956954364105), (0.0316254112399638, 1.5391761860173467)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.asinh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: atan c64
// ops: atan
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(0.4842544903299662, 0.20058661813123432), (-1.421546861001807, 0.5003700000525311), (1.3060015274038583, -0.1249889878822717), (-1.1083963758408342, -0.024942788436237526), (0.7856481633884893, 3.8004512685223144)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.atan %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: atan c128
// ops: atan
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.4842544903299662, 0.20058661813123432), (-1.421546861001807, 0.5003700000525311), (1.3060015274038583, -0.1249889878822717), (-1.1083963758408342, -0.024942788436237526), (0.785648163376615, 3.8004512922710334)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.atan %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: atanh c64
// ops: atanh
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(0.5003700000525311, 0.3143981432077165), (-0.09641562020299617, 1.1265564408348223), (0.2678959040700476, -1.4284311075335405), (-0.5458637491531156, -1.52944011907081), (0.0004999999404153554, 0.7853984133974721)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.atanh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: atanh c128
// ops: atanh
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.5003700000525311, 0.3143981432077165), (-0.09641562020299617, 1.1265564408348223), (0.2678959040700476, -1.4284311075335405), (-0.5458637491531156, -1.52944011907081), (0.0004999999166666417, 0.7853984133974483)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.atanh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: cosh c64
// ops: cosh
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(1.0925708047319176, 0.12892104172809826), (-0.4692579782290534, -0.473830620416407), (0.7121582369176002, -9.992780016517832), (3.7328417883534124, 0.45217785437376523), (0.5403025760193408, 0.0008414711650208147)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.cosh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: cosh c128
// ops: cosh
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(1.0925708047319176, 0.12892104172809826), (-0.4692579782290534, -0.473830620416407), (0.7121582369176002, -9.992780016517832), (3.7328417883534124, 0.45217785437376523), (0.5403025760193152, 0.0008414711250530677)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.cosh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: sinh c64
// ops: sinh
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(0.504895714387995, 0.2789791283502615), (0.2168521629207897, 1.0253473885839877), (0.7086364390220189, -10.042442367612491), (-3.598562436032225, -0.4690507447289042), (0.0005403024215815238, 0.8414714055434639)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.sinh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: sinh c128
// ops: sinh
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.504895714387995, 0.2789791283502615), (0.2168521629207897, 1.0253473885839877), (0.7086364390220189, -10.042442367612491), (-3.598562436032225, -0.4690507447289042), (0.0005403023959185285, 0.8414714055434239)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.sinh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: square c64
// ops: square
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(0.1875, 0.25), (-3.75, -2.0), (6.75, -9.0), (3.984375, 0.5), (-0.999998999999905, 0.0020000000949949026)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.square %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: square c128
// ops: square
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.1875, 0.25), (-3.75, -2.0), (6.75, -9.0), (3.984375, 0.5), (-0.999999, 0.002)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.square %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: conj c64
// ops: conj
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(0.5, -0.25), (-0.5, -2.0), (3.0, 1.5), (-2.0, 0.125), (0.0010000000474974513, -1.0)}
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.conj %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: conj c128
// ops: conj
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.5, -0.25), (-0.5, -2.0), (3.0, 1.5), (-2.0, 0.125), (0.001, -1.0)}
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.conj %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: tan c64
// ops: tan
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)}
// expect: c64[5] {(0.504500702698564, 0.3124206925025888), (-0.030215987322877575, 0.979940849961738), (-0.025337300300091577, -0.9084174179337577), (2.0033447309700536, -0.6686943515558469), (0.000419974257957229, 0.7615944758058272)}
// rtol: 2e-06
// atol: 1e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo.tan %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: tan c128
// ops: tan
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.504500702698564, 0.3124206925025888), (-0.030215987322877575, 0.979940849961738), (-0.025337300300091577, -0.9084174179337577), (2.0033447309700536, -0.6686943515558469), (0.00041997423800953297, 0.7615944758057969)}
// rtol: 4e-15
// atol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo.tan %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: is_inf
// ops: is_inf
// types: bf16 f16 f32 f64 f8e5m2
// input: ELT[4] {-inf, inf, nan, 1}
// expect: pred[4] {1, 1, 0, 0}
func.func @main(%x0: tensor<4xELT>) -> tensor<4xi1> {
  %r = chlo.is_inf %x0 : tensor<4xELT> -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: is_inf f8
// ops: is_inf
// types: f8e4m3fn
// input: ELT[3] {nan, 448, -1}
// expect: pred[3] {0, 0, 0}
func.func @main(%x0: tensor<3xELT>) -> tensor<3xi1> {
  %r = chlo.is_inf %x0 : tensor<3xELT> -> tensor<3xi1>
  return %r : tensor<3xi1>
}
// -----
// vector: is_neg_inf
// ops: is_neg_inf
// types: bf16 f16 f32 f64
// input: ELT[4] {-inf, inf, nan, 1}
// expect: pred[4] {1, 0, 0, 0}
func.func @main(%x0: tensor<4xELT>) -> tensor<4xi1> {
  %r = chlo.is_neg_inf %x0 : tensor<4xELT> -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: is_pos_inf
// ops: is_pos_inf
// types: bf16 f16 f32 f64
// input: ELT[4] {-inf, inf, nan, 1}
// expect: pred[4] {0, 1, 0, 0}
func.func @main(%x0: tensor<4xELT>) -> tensor<4xi1> {
  %r = chlo.is_pos_inf %x0 : tensor<4xELT> -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: square
// ops: square
// types: bf16 f16 f32 f64
// input: ELT[4] {-1.5, 2, 0, inf}
// expect: ELT[4] {2.25, 4, 0, inf}
func.func @main(%x0: tensor<4xELT>) -> tensor<4xELT> {
  %r = chlo.square %x0 : tensor<4xELT> -> tensor<4xELT>
  return %r : tensor<4xELT>
}
// -----
// vector: conj
// ops: conj
// types: f32 f64
// input: ELT[3] {-1.5, 2, inf}
// expect: ELT[3] {-1.5, 2, inf}
func.func @main(%x0: tensor<3xELT>) -> tensor<3xELT> {
  %r = chlo.conj %x0 : tensor<3xELT> -> tensor<3xELT>
  return %r : tensor<3xELT>
}
// -----
// vector: next_after f32
// ops: next_after
// types: f32
// input: ELT[11] {1.0, 1.0, -1.0, -1.0, 0.5, 3.0, inf, -inf, nan, 1.0, 2.0}
// input: ELT[11] {2.0, 0, 0, -2.0, 0.5, 3.5, 0, 0, 1.0, nan, inf}
// expect: ELT[11] {1.0000001192092896, 0.9999999403953552, -0.9999999403953552, -1.0000001192092896, 0.5, 3.000000238418579, 3.4028234663852886e+38, -3.4028234663852886e+38, nan, nan, 2.000000238418579}
func.func @main(%x0: tensor<11xELT>, %x1: tensor<11xELT>) -> tensor<11xELT> {
  %r = chlo.next_after %x0, %x1 : tensor<11xELT>, tensor<11xELT> -> tensor<11xELT>
  return %r : tensor<11xELT>
}
// -----
// vector: next_after f64
// ops: next_after
// types: f64
// input: ELT[11] {1.0, 1.0, -1.0, -1.0, 0.5, 3.0, inf, -inf, nan, 1.0, 2.0}
// input: ELT[11] {2.0, 0, 0, -2.0, 0.5, 3.5, 0, 0, 1.0, nan, inf}
// expect: ELT[11] {1.0000000000000002, 0.9999999999999999, -0.9999999999999999, -1.0000000000000002, 0.5, 3.0000000000000004, 1.7976931348623157e+308, -1.7976931348623157e+308, nan, nan, 2.0000000000000004}
func.func @main(%x0: tensor<11xELT>, %x1: tensor<11xELT>) -> tensor<11xELT> {
  %r = chlo.next_after %x0, %x1 : tensor<11xELT>, tensor<11xELT> -> tensor<11xELT>
  return %r : tensor<11xELT>
}
// -----
// vector: next_after f16
// ops: next_after
// types: f16
// input: ELT[11] {1.0, 1.0, -1.0, -1.0, 0.5, 3.0, inf, -inf, nan, 1.0, 2.0}
// input: ELT[11] {2.0, 0, 0, -2.0, 0.5, 3.5, 0, 0, 1.0, nan, inf}
// expect: ELT[11] {1.0009765625, 0.99951171875, -0.99951171875, -1.0009765625, 0.5, 3.001953125, 65504.0, -65504.0, nan, nan, 2.001953125}
func.func @main(%x0: tensor<11xELT>, %x1: tensor<11xELT>) -> tensor<11xELT> {
  %r = chlo.next_after %x0, %x1 : tensor<11xELT>, tensor<11xELT> -> tensor<11xELT>
  return %r : tensor<11xELT>
}
// -----
// vector: next_after bf16
// ops: next_after
// types: bf16
// input: ELT[11] {1.0, 1.0, -1.0, -1.0, 0.5, 3.0, inf, -inf, nan, 1.0, 2.0}
// input: ELT[11] {2.0, 0, 0, -2.0, 0.5, 3.5, 0, 0, 1.0, nan, inf}
// expect: ELT[11] {1.0078125, 0.99609375, -0.99609375, -1.0078125, 0.5, 3.015625, 3.3895313892515355e+38, -3.3895313892515355e+38, nan, nan, 2.015625}
func.func @main(%x0: tensor<11xELT>, %x1: tensor<11xELT>) -> tensor<11xELT> {
  %r = chlo.next_after %x0, %x1 : tensor<11xELT>, tensor<11xELT> -> tensor<11xELT>
  return %r : tensor<11xELT>
}
// -----
// vector: zeta f32
// ops: zeta
// types: f32
// input: ELT[13] {2.0, 3.0, 2.5, 1.0, 0.5, 2.0, 3.0, 2.0, 2.5, nan, 1.5, 30.0, 8.0}
// input: ELT[13] {1.0, 0.5, 3.0, 2.0, 2.0, 0, -1.0, -1.0, -1.0, 1.0, 10.0, 2.5, 7.25}
// expect: ELT[13] {1.6449340668482264, 8.41439832211716, 0.1647105619542803, inf, nan, inf, nan, inf, nan, nan, 0.6486616319415704, 1.1529691685630237e-12, 2.129118267025136e-07}
// rtol: 4e-06
func.func @main(%x0: tensor<13xELT>, %x1: tensor<13xELT>) -> tensor<13xELT> {
  %r = chlo.zeta %x0, %x1 : tensor<13xELT>, tensor<13xELT> -> tensor<13xELT>
  return %r : tensor<13xELT>
}
// -----
// vector: zeta f64
// ops: zeta
// types: f64
// input: ELT[13] {2.0, 3.0, 2.5, 1.0, 0.5, 2.0, 3.0, 2.0, 2.5, nan, 1.5, 30.0, 8.0}
// input: ELT[13] {1.0, 0.5, 3.0, 2.0, 2.0, 0, -1.0, -1.0, -1.0, 1.0, 10.0, 2.5, 7.25}
// expect: ELT[13] {1.6449340668482264, 8.41439832211716, 0.1647105619542803, inf, nan, inf, nan, inf, nan, nan, 0.6486616319415704, 1.1529691685630237e-12, 2.129118267025136e-07}
// rtol: 1e-14
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<13xELT>, %x1: tensor<13xELT>) -> tensor<13xELT> {
  %r = chlo.zeta %x0, %x1 : tensor<13xELT>, tensor<13xELT> -> tensor<13xELT>
  return %r : tensor<13xELT>
}
// -----
// vector: zeta bf16
// ops: zeta
// types: bf16
// input: ELT[13] {2.0, 3.0, 2.5, 1.0, 0.5, 2.0, 3.0, 2.0, 2.5, nan, 1.5, 30.0, 8.0}
// input: ELT[13] {1.0, 0.5, 3.0, 2.0, 2.0, 0, -1.0, -1.0, -1.0, 1.0, 10.0, 2.5, 7.25}
// expect: ELT[13] {1.6449340668482264, 8.41439832211716, 0.1647105619542803, inf, nan, inf, nan, inf, nan, nan, 0.6486616319415704, 1.1529691685630237e-12, 2.129118267025136e-07}
// rtol: 0.016
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<13xELT>, %x1: tensor<13xELT>) -> tensor<13xELT> {
  %r = chlo.zeta %x0, %x1 : tensor<13xELT>, tensor<13xELT> -> tensor<13xELT>
  return %r : tensor<13xELT>
}
// -----
// vector: polygamma f32
// ops: polygamma
// types: f32
// input: ELT[15] {0, 1.0, 2.0, 3.0, -1.0, 1.5, 1.0, 2.0, 3.0, 1.0, 2.0, 0, nan, 4.0, 10.0}
// input: ELT[15] {1.5, 1.5, 2.5, 10.0, 1.0, 1.0, 0, 0, 0, -1.0, -1.0, -0.5, 1.0, 0.5, 3.0}
// expect: ELT[15] {0.03648997397857652, 0.9348022005446793, -0.2362040516417274, 0.0023199013042898686, nan, nan, inf, nan, inf, inf, nan, 0.03648997397857652, nan, -771.4742498266672, -21.43660662871299}
// rtol: 1e-05
func.func @main(%x0: tensor<15xELT>, %x1: tensor<15xELT>) -> tensor<15xELT> {
  %r = chlo.polygamma %x0, %x1 : tensor<15xELT>, tensor<15xELT> -> tensor<15xELT>
  return %r : tensor<15xELT>
}
// -----
// vector: polygamma f64
// ops: polygamma
// types: f64
// input: ELT[15] {0, 1.0, 2.0, 3.0, -1.0, 1.5, 1.0, 2.0, 3.0, 1.0, 2.0, 0, nan, 4.0, 10.0}
// input: ELT[15] {1.5, 1.5, 2.5, 10.0, 1.0, 1.0, 0, 0, 0, -1.0, -1.0, -0.5, 1.0, 0.5, 3.0}
// expect: ELT[15] {0.03648997397857652, 0.9348022005446793, -0.2362040516417274, 0.0023199013042898686, nan, nan, inf, nan, inf, inf, nan, 0.03648997397857652, nan, -771.4742498266672, -21.43660662871299}
// rtol: 4e-14
// not on vulkan: f32 is, and costs as much to compile again
func.func @main(%x0: tensor<15xELT>, %x1: tensor<15xELT>) -> tensor<15xELT> {
  %r = chlo.polygamma %x0, %x1 : tensor<15xELT>, tensor<15xELT> -> tensor<15xELT>
  return %r : tensor<15xELT>
}
// -----
// vector: mulhi s8
// ops: mulhi
// types: s8
// input: ELT[6] {-128, -128, 127, 42, 7, 63}
// input: ELT[6] {-128, 127, 127, 25, 9, 3}
// expect: ELT[6] {64, -64, 63, 4, 0, 0}
func.func @main(%x0: tensor<6xELT>, %x1: tensor<6xELT>) -> tensor<6xELT> {
  %r = chlo.mulhi %x0, %x1 : tensor<6xELT>, tensor<6xELT> -> tensor<6xELT>
  return %r : tensor<6xELT>
}
// -----
// vector: mulhi u8
// ops: mulhi
// types: u8
// input: ELT[6] {0, 0, 255, 85, 7, 127}
// input: ELT[6] {0, 255, 255, 51, 9, 3}
// expect: ELT[6] {0, 0, 254, 16, 0, 1}
func.func @main(%x0: tensor<6xELT>, %x1: tensor<6xELT>) -> tensor<6xELT> {
  %r = chlo.mulhi %x0, %x1 : tensor<6xELT>, tensor<6xELT> -> tensor<6xELT>
  return %r : tensor<6xELT>
}
// -----
// vector: mulhi s16
// ops: mulhi
// types: s16
// input: ELT[6] {-32768, -32768, 32767, 10922, 7, 16383}
// input: ELT[6] {-32768, 32767, 32767, 6553, 9, 3}
// expect: ELT[6] {16384, -16384, 16383, 1092, 0, 0}
func.func @main(%x0: tensor<6xELT>, %x1: tensor<6xELT>) -> tensor<6xELT> {
  %r = chlo.mulhi %x0, %x1 : tensor<6xELT>, tensor<6xELT> -> tensor<6xELT>
  return %r : tensor<6xELT>
}
// -----
// vector: mulhi s32
// ops: mulhi
// types: s32
// input: ELT[6] {-2147483648, -2147483648, 2147483647, 715827882, 7, 1073741823}
// input: ELT[6] {-2147483648, 2147483647, 2147483647, 429496729, 9, 3}
// expect: ELT[6] {1073741824, -1073741824, 1073741823, 71582788, 0, 0}
func.func @main(%x0: tensor<6xELT>, %x1: tensor<6xELT>) -> tensor<6xELT> {
  %r = chlo.mulhi %x0, %x1 : tensor<6xELT>, tensor<6xELT> -> tensor<6xELT>
  return %r : tensor<6xELT>
}
// -----
// vector: mulhi u32
// ops: mulhi
// types: u32
// input: ELT[6] {0, 0, 4294967295, 1431655765, 7, 2147483647}
// input: ELT[6] {0, 4294967295, 4294967295, 858993459, 9, 3}
// expect: ELT[6] {0, 0, 4294967294, 286331152, 0, 1}
func.func @main(%x0: tensor<6xELT>, %x1: tensor<6xELT>) -> tensor<6xELT> {
  %r = chlo.mulhi %x0, %x1 : tensor<6xELT>, tensor<6xELT> -> tensor<6xELT>
  return %r : tensor<6xELT>
}
// -----
// vector: mulhi s64
// ops: mulhi
// types: s64
// input: ELT[6] {-9223372036854775808, -9223372036854775808, 9223372036854775807, 3074457345618258602, 7, 4611686018427387903}
// input: ELT[6] {-9223372036854775808, 9223372036854775807, 9223372036854775807, 1844674407370955161, 9, 3}
// expect: ELT[6] {4611686018427387904, -4611686018427387904, 4611686018427387903, 307445734561825860, 0, 0}
func.func @main(%x0: tensor<6xELT>, %x1: tensor<6xELT>) -> tensor<6xELT> {
  %r = chlo.mulhi %x0, %x1 : tensor<6xELT>, tensor<6xELT> -> tensor<6xELT>
  return %r : tensor<6xELT>
}
// -----
// vector: mulhi u64
// ops: mulhi
// types: u64
// input: ELT[6] {0, 0, 18446744073709551615, 6148914691236517205, 7, 9223372036854775807}
// input: ELT[6] {0, 18446744073709551615, 18446744073709551615, 3689348814741910323, 9, 3}
// expect: ELT[6] {0, 0, 18446744073709551614, 1229782938247303440, 0, 1}
func.func @main(%x0: tensor<6xELT>, %x1: tensor<6xELT>) -> tensor<6xELT> {
  %r = chlo.mulhi %x0, %x1 : tensor<6xELT>, tensor<6xELT> -> tensor<6xELT>
  return %r : tensor<6xELT>
}
// -----
// vector: broadcast_add
// ops: broadcast_add
// types: f32 f64 s32
// input: ELT[2,1] {{10},{20}}
// input: ELT[2] {1,2}
// expect: ELT[2,2] {{11,12},{21,22}}
func.func @main(%x0: tensor<2x1xELT>, %x1: tensor<2xELT>) -> tensor<2x2xELT> {
  %r = chlo.broadcast_add %x0, %x1 : (tensor<2x1xELT>, tensor<2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: broadcast_subtract
// ops: broadcast_subtract
// types: f32 f64 s32
// input: ELT[2,1] {{10},{20}}
// input: ELT[2] {1,2}
// expect: ELT[2,2] {{9,8},{19,18}}
func.func @main(%x0: tensor<2x1xELT>, %x1: tensor<2xELT>) -> tensor<2x2xELT> {
  %r = chlo.broadcast_subtract %x0, %x1 : (tensor<2x1xELT>, tensor<2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: broadcast_multiply
// ops: broadcast_multiply
// types: f32 f64 s32
// input: ELT[2,1] {{10},{20}}
// input: ELT[2] {1,2}
// expect: ELT[2,2] {{10,20},{20,40}}
func.func @main(%x0: tensor<2x1xELT>, %x1: tensor<2xELT>) -> tensor<2x2xELT> {
  %r = chlo.broadcast_multiply %x0, %x1 : (tensor<2x1xELT>, tensor<2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: broadcast_divide
// ops: broadcast_divide
// types: f32 f64
// input: ELT[2,1] {{10},{20}}
// input: ELT[2] {1,2}
// expect: ELT[2,2] {{10,5},{20,10}}
func.func @main(%x0: tensor<2x1xELT>, %x1: tensor<2xELT>) -> tensor<2x2xELT> {
  %r = chlo.broadcast_divide %x0, %x1 : (tensor<2x1xELT>, tensor<2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: broadcast_maximum
// ops: broadcast_maximum
// types: f32 f64 s32
// input: ELT[2,1] {{10},{20}}
// input: ELT[2] {1,2}
// expect: ELT[2,2] {{10,10},{20,20}}
func.func @main(%x0: tensor<2x1xELT>, %x1: tensor<2xELT>) -> tensor<2x2xELT> {
  %r = chlo.broadcast_maximum %x0, %x1 : (tensor<2x1xELT>, tensor<2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: broadcast_minimum
// ops: broadcast_minimum
// types: f32 f64 s32
// input: ELT[2,1] {{10},{20}}
// input: ELT[2] {1,2}
// expect: ELT[2,2] {{1,2},{1,2}}
func.func @main(%x0: tensor<2x1xELT>, %x1: tensor<2xELT>) -> tensor<2x2xELT> {
  %r = chlo.broadcast_minimum %x0, %x1 : (tensor<2x1xELT>, tensor<2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: broadcast_remainder
// ops: broadcast_remainder
// types: f32 f64
// input: ELT[2,1] {{10},{20}}
// input: ELT[2] {1,2}
// expect: ELT[2,2] {{0,0},{0,0}}
func.func @main(%x0: tensor<2x1xELT>, %x1: tensor<2xELT>) -> tensor<2x2xELT> {
  %r = chlo.broadcast_remainder %x0, %x1 : (tensor<2x1xELT>, tensor<2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: broadcast_power
// ops: broadcast_power
// types: f32 f64
// input: ELT[2,1] {{10},{20}}
// input: ELT[2] {1,2}
// expect: ELT[2,2] {{10,100},{20,400}}
// rtol: 1e-06
func.func @main(%x0: tensor<2x1xELT>, %x1: tensor<2xELT>) -> tensor<2x2xELT> {
  %r = chlo.broadcast_power %x0, %x1 : (tensor<2x1xELT>, tensor<2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: broadcast_and
// ops: broadcast_and
// types: s32 u8
// input: ELT[2] {6,5}
// input: ELT[] 2
// expect: ELT[2] {2,0}
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_and %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_or
// ops: broadcast_or
// types: s32 u8
// input: ELT[2] {6,5}
// input: ELT[] 5
// expect: ELT[2] {7,5}
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_or %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_xor
// ops: broadcast_xor
// types: s32 u8
// input: ELT[2] {6,5}
// input: ELT[] 5
// expect: ELT[2] {3,0}
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_xor %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_shift_left
// ops: broadcast_shift_left
// types: s32 u8
// input: ELT[2] {6,5}
// input: ELT[] 2
// expect: ELT[2] {24,20}
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_shift_left %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_shift_right_arithmetic
// ops: broadcast_shift_right_arithmetic
// types: s32 u8
// input: ELT[2] {6,5}
// input: ELT[] 2
// expect: ELT[2] {1,1}
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_shift_right_arithmetic %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_shift_right_logical
// ops: broadcast_shift_right_logical
// types: s32 u8
// input: ELT[2] {6,5}
// input: ELT[] 2
// expect: ELT[2] {1,1}
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_shift_right_logical %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_atan2
// ops: broadcast_atan2
// types: f32 f64
// input: ELT[2] {0,2}
// input: ELT[] 0
// expect: ELT[2] {0, 1.5707963267948966}
// rtol: 1e-7
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_atan2 %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_next_after
// ops: broadcast_next_after
// types: f32
// input: ELT[2] {1,3}
// input: ELT[] 2
// expect: ELT[2] {1.0000001192092896, 2.999999761581421}
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_next_after %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_zeta
// ops: broadcast_zeta
// types: f32
// input: ELT[2] {2,3}
// input: ELT[] 2
// expect: ELT[2] {0.6449340668482264, 0.2020569031595943}
// rtol: 1e-05
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_zeta %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_polygamma
// ops: broadcast_polygamma
// types: f32
// input: ELT[2] {2,3}
// input: ELT[] 2
// expect: ELT[2] {-0.4041138063191886, 0.49393940226682914}
// rtol: 1e-05
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xELT> {
  %r = chlo.broadcast_polygamma %x0, %x1 : (tensor<2xELT>, tensor<ELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: broadcast_complex
// ops: broadcast_complex
// input: f32[2] {1,2}
// input: f32[] 3
// expect: c64[2] {(1, 3), (2, 3)}
func.func @main(%x0: tensor<2xf32>, %x1: tensor<f32>) -> tensor<2xcomplex<f32>> {
  %r = chlo.broadcast_complex %x0, %x1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
// -----
// vector: broadcast_compare
// ops: broadcast_compare
// types: f32 s32
// input: ELT[2] {1,3}
// input: ELT[] 2
// expect: pred[2] {1, 0}
func.func @main(%x0: tensor<2xELT>, %x1: tensor<ELT>) -> tensor<2xi1> {
  %r = chlo.broadcast_compare %x0, %x1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2xELT>, tensor<ELT>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: broadcast_select
// ops: broadcast_select
// types: f32 s32
// input: pred[2] {1,0}
// input: ELT[2,1] {{1},{2}}
// input: ELT[] 9
// expect: ELT[2,2] {{1,9},{2,9}}
func.func @main(%x0: tensor<2xi1>, %x1: tensor<2x1xELT>, %x2: tensor<ELT>) -> tensor<2x2xELT> {
  %r = chlo.broadcast_select %x0, %x1, %x2 : (tensor<2xi1>, tensor<2x1xELT>, tensor<ELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: constant
// ops: constant
// expect: s32[2] {1, 2}
func.func @main() -> tensor<2xi32> {
  %r = chlo.constant dense<[1, 2]> : tensor<2xi32>
  return %r : tensor<2xi32>
}
// -----
// vector: constant_like
// ops: constant_like
// types: f32 f64 bf16
// input: ELT[2] {1,2}
// expect: ELT[2] {1.5, 1.5}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = "chlo.constant_like"(%x0) <{value = 1.5 : ELT}> : (tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: _asin_acos_kernel c64
// ops: _asin_acos_kernel
// input: c64[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c64[5] {(0.9117543273261622, 0.2813960562452928), (2.2252957142840675, 1.4657153519472905), (1.570032592280637, 1.8902413596022003), (0.14421329755552748, 1.3199506863946082), (1.414213385596433, 0.8813737637962493)}
// rtol: 2e-06
func.func @main(%x0: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = chlo._asin_acos_kernel %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
// -----
// vector: _asin_acos_kernel c128
// ops: _asin_acos_kernel
// input: c128[5] {(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)}
// expect: c128[5] {(0.9117543273261622, 0.2813960562452928), (2.2252957142840675, 1.4657153519472905), (1.570032592280637, 1.8902413596022003), (0.14421329755552748, 1.3199506863946082), (1.414213385596433, 0.8813737637962493)}
// rtol: 4e-15
func.func @main(%x0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %r = chlo._asin_acos_kernel %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  return %r : tensor<5xcomplex<f64>>
}
// -----
// vector: scan
// ops: scan
// types: f32 s32
// input: ELT[3,2] {{1,2},{3,4},{5,6}}
// input: ELT[2] {100,200}
// expect: ELT[3,2] {{100,200},{101,202},{104,206}}
// expect: ELT[2] {109,212}
func.func @main(%x0: tensor<3x2xELT>, %x1: tensor<2xELT>) -> (tensor<3x2xELT>, tensor<2xELT>) {
  %r:2 = chlo.scan(%x0) inits (%x1) dimension=0 {
  ^bb0(%input: tensor<2xELT>, %carry: tensor<2xELT>):
    %n = stablehlo.add %carry, %input : tensor<2xELT>
    stablehlo.return %carry, %n : tensor<2xELT>, tensor<2xELT>
  } : (tensor<3x2xELT>, tensor<2xELT>) -> (tensor<3x2xELT>, tensor<2xELT>)
  return %r#0, %r#1 : tensor<3x2xELT>, tensor<2xELT>
}
// -----
// vector: ragged_dot rows
// ops: ragged_dot
// types: f32 bf16
// input: ELT[4,1] {{1},{2},{3},{4}}
// input: ELT[2,1,2] {{{1,10}},{{2,20}}}
// input: s32[2] {1,2}
// expect: ELT[4,2] {{1,10},{4,40},{6,60},{0,0}}
func.func @main(%x0: tensor<4x1xELT>, %x1: tensor<2x1x2xELT>, %x2: tensor<2xi32>) -> tensor<4x2xELT> {
  %r = "chlo.ragged_dot"(%x0, %x1, %x2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x1xELT>, tensor<2x1x2xELT>, tensor<2xi32>) -> tensor<4x2xELT>
  return %r : tensor<4x2xELT>
}
// -----
// vector: ragged_dot contraction
// ops: ragged_dot
// types: f32
// input: ELT[1,4] {{1,2,3,4}}
// input: ELT[4,1] {{1},{10},{100},{1000}}
// input: s32[2] {1,2}
// expect: ELT[2,1,1] {{{1}},{{320}}}
func.func @main(%x0: tensor<1x4xELT>, %x1: tensor<4x1xELT>, %x2: tensor<2xi32>) -> tensor<2x1x1xELT> {
  %r = "chlo.ragged_dot"(%x0, %x1, %x2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>}> : (tensor<1x4xELT>, tensor<4x1xELT>, tensor<2xi32>) -> tensor<2x1x1xELT>
  return %r : tensor<2x1x1xELT>
}
// -----
// vector: ragged_dot batch
// ops: ragged_dot
// types: f32
// input: ELT[2,2] {{1,2},{3,4}}
// input: ELT[2,2] {{1,10},{100,1000}}
// input: s32[1] {2}
// expect: ELT[2] {21,4300}
func.func @main(%x0: tensor<2x2xELT>, %x1: tensor<2x2xELT>, %x2: tensor<1xi32>) -> tensor<2xELT> {
  %r = "chlo.ragged_dot"(%x0, %x1, %x2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}> : (tensor<2x2xELT>, tensor<2x2xELT>, tensor<1xi32>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
