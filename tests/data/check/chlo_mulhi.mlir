// chlo_mulhi SI: mulhi s8
func.func @chlo_mulhi_s8() {
  %x0 = stablehlo.constant dense<[-128, -128, 127, 42, 7, 63]> : tensor<6xi8>
  %x1 = stablehlo.constant dense<[-128, 127, 127, 25, 9, 3]> : tensor<6xi8>
  %r = chlo.mulhi %x0, %x1 : tensor<6xi8>, tensor<6xi8> -> tensor<6xi8>
  check.expect_eq_const %r, dense<[64, -64, 63, 4, 0, 0]> : tensor<6xi8>
  return
}

// chlo_mulhi UI: mulhi u8
func.func @chlo_mulhi_u8() {
  %x0 = stablehlo.constant dense<[0, 0, 255, 85, 7, 127]> : tensor<6xui8>
  %x1 = stablehlo.constant dense<[0, 255, 255, 51, 9, 3]> : tensor<6xui8>
  %r = chlo.mulhi %x0, %x1 : tensor<6xui8>, tensor<6xui8> -> tensor<6xui8>
  check.expect_eq_const %r, dense<[0, 0, 254, 16, 0, 1]> : tensor<6xui8>
  return
}

// chlo_mulhi SI: mulhi s16
func.func @chlo_mulhi_s16() {
  %x0 = stablehlo.constant dense<[-32768, -32768, 32767, 10922, 7, 16383]> : tensor<6xi16>
  %x1 = stablehlo.constant dense<[-32768, 32767, 32767, 6553, 9, 3]> : tensor<6xi16>
  %r = chlo.mulhi %x0, %x1 : tensor<6xi16>, tensor<6xi16> -> tensor<6xi16>
  check.expect_eq_const %r, dense<[16384, -16384, 16383, 1092, 0, 0]> : tensor<6xi16>
  return
}

// chlo_mulhi SI: mulhi s32
func.func @chlo_mulhi_s32() {
  %x0 = stablehlo.constant dense<[-2147483648, -2147483648, 2147483647, 715827882, 7, 1073741823]> : tensor<6xi32>
  %x1 = stablehlo.constant dense<[-2147483648, 2147483647, 2147483647, 429496729, 9, 3]> : tensor<6xi32>
  %r = chlo.mulhi %x0, %x1 : tensor<6xi32>, tensor<6xi32> -> tensor<6xi32>
  check.expect_eq_const %r, dense<[1073741824, -1073741824, 1073741823, 71582788, 0, 0]> : tensor<6xi32>
  return
}

// chlo_mulhi UI: mulhi u32
func.func @chlo_mulhi_u32() {
  %x0 = stablehlo.constant dense<[0, 0, 4294967295, 1431655765, 7, 2147483647]> : tensor<6xui32>
  %x1 = stablehlo.constant dense<[0, 4294967295, 4294967295, 858993459, 9, 3]> : tensor<6xui32>
  %r = chlo.mulhi %x0, %x1 : tensor<6xui32>, tensor<6xui32> -> tensor<6xui32>
  check.expect_eq_const %r, dense<[0, 0, 4294967294, 286331152, 0, 1]> : tensor<6xui32>
  return
}

// chlo_mulhi SI: mulhi s64
func.func @chlo_mulhi_s64() {
  %x0 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775808, 9223372036854775807, 3074457345618258602, 7, 4611686018427387903]> : tensor<6xi64>
  %x1 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 9223372036854775807, 1844674407370955161, 9, 3]> : tensor<6xi64>
  %r = chlo.mulhi %x0, %x1 : tensor<6xi64>, tensor<6xi64> -> tensor<6xi64>
  check.expect_eq_const %r, dense<[4611686018427387904, -4611686018427387904, 4611686018427387903, 307445734561825860, 0, 0]> : tensor<6xi64>
  return
}

// chlo_mulhi UI: mulhi u64
func.func @chlo_mulhi_u64() {
  %x0 = stablehlo.constant dense<[0, 0, 18446744073709551615, 6148914691236517205, 7, 9223372036854775807]> : tensor<6xui64>
  %x1 = stablehlo.constant dense<[0, 18446744073709551615, 18446744073709551615, 3689348814741910323, 9, 3]> : tensor<6xui64>
  %r = chlo.mulhi %x0, %x1 : tensor<6xui64>, tensor<6xui64> -> tensor<6xui64>
  check.expect_eq_const %r, dense<[0, 0, 18446744073709551614, 1229782938247303440, 0, 1]> : tensor<6xui64>
  return
}
