// Made by coefficients.py; do not edit. Polynomials, lowest power first.
#ifndef HALYARD_FRONTEND_STABLEHLO_CHLO_COEFFICIENTS_H_
#define HALYARD_FRONTEND_STABLEHLO_CHLO_COEFFICIENTS_H_

namespace halyard::stablehlo {

// Relative error 2^-28.6 on [-0.7978, 0.75].
inline constexpr double kErfcScaledF32[] = {
    0x1.3ba5920000000p+0,  -0x1.1df1aa0000000p-3, 0x1.f7f8b80000000p-7,   0x1.16ec340000000p-4,
    -0x1.9de21e0000000p-4, 0x1.7ff6340000000p-4,  -0x1.0f7e1c0000000p-4,  0x1.302e500000000p-5,
    -0x1.0bf9860000000p-6, 0x1.4ec4f00000000p-8,  -0x1.0cfcbc0000000p-11, -0x1.1b47420000000p-12};
// Relative error 2^-57.8 on [-0.7978, 0.75].
inline constexpr double kErfcScaledF64[] = {
    0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a290p-3,  0x1.f7f5df66fd59ep-7,   0x1.16ecefcfa5541p-4,
    -0x1.9ddb23c3e7e3cp-4,  0x1.7fee004e0ea67p-4,   -0x1.0fb06dfe6930bp-4,  0x1.3079edf6f5ae3p-5,
    -0x1.0962387e0d2a4p-6,  0x1.49c67268fdc06p-8,   -0x1.8d4aa11b5bdc2p-11, -0x1.a1df1591806ffp-13,
    0x1.3be0d0726b1d5p-13,  -0x1.995a3c1460d3ap-16, -0x1.78a2ca33db1ecp-17, 0x1.7f2643c92dd4dp-18,
    0x1.4177223a40005p-22,  -0x1.ba258f4ae94a7p-21, 0x1.2080af3ce8f12p-24,  0x1.c935ed14f9ef4p-24,
    -0x1.a5e22cb77c1ecp-27, -0x1.70be526c23573p-27};
// Relative error 2^-27.2 on [-2.5, 2.5].
inline constexpr double kErfInvCentralF32[] = {
    0x1.805c5e0000000p+0,  0x1.f91e8a0000000p-3,   -0x1.11c5060000000p-8,  -0x1.48650c0000000p-10,
    0x1.c9e9700000000p-13, -0x1.4db1860000000p-18, -0x1.d0eda00000000p-19, 0x1.f6a6f80000000p-22,
    0x1.90e8ac0000000p-26, -0x1.32e60e0000000p-27};
// Relative error 2^-55.3 on [-2.5, 2.5].
inline constexpr double kErfInvCentralF64[] = {
    0x1.805c5cfcedef5p+0,   0x1.f91e8993f0d14p-3,   -0x1.11c3c302dfaf0p-8,  -0x1.4863cdfb61517p-10,
    0x1.c9b437ed0080cp-13,  -0x1.4f47fe73684ebp-18, -0x1.ca9227b0a062dp-19, 0x1.01037e3d97bd8p-21,
    0x1.ccff528c03084p-27,  -0x1.752fdb81693a7p-27, 0x1.f2cd342e3526fp-31,  0x1.0704eb5764939p-33,
    -0x1.11a0e5e08c336p-35, 0x1.008e1e14bcf63p-40,  0x1.2e67836f4afd5p-41,  -0x1.56c08cc65ee02p-44,
    -0x1.c9dd7964db247p-49, 0x1.10f9a3abd03bcp-49,  -0x1.d3896566661f1p-54, -0x1.eb8684d3967aap-56,
    0x1.7692a18a39c86p-59,  0x1.847e944433021p-63};
// Relative error 2^-27.8 on [-0.97, 0.97].
inline constexpr double kErfInvMiddleF32[] = {
    0x1.844e340000000p+1,   0x1.0133860000000p+0,  0x1.8776380000000p-8,  -0x1.1968580000000p-8,
    0x1.8297f20000000p-9,   -0x1.05572e0000000p-9, 0x1.1ccaf00000000p-10, -0x1.7783680000000p-12,
    -0x1.05d6520000000p-15, 0x1.a272260000000p-14, -0x1.206de80000000p-15};
// Relative error 2^-58.4 on [-0.97, 0.97].
inline constexpr double kErfInvMiddleF64[] = {
    0x1.844e340984c07p+1,   0x1.0133861c5d96bp+0,   0x1.877527b86a200p-8,   -0x1.196c225e9c16bp-8,
    0x1.82c5194705ce5p-9,   -0x1.053a669d18e71p-9,  0x1.1ab5d0ff26a77p-10,  -0x1.7726200a0709cp-12,
    -0x1.9ba1a86f7553cp-17, 0x1.886d73191ddb9p-14,  -0x1.c122a41ff1567p-15, 0x1.4ae15515d6b0dp-17,
    0x1.8944f130c4c5ep-18,  -0x1.50497474c5b6dp-18, 0x1.7b6046793e146p-20,  0x1.d0069c68a5c46p-23,
    -0x1.7e3312903103ap-22, 0x1.2e284fe98525bp-23,  -0x1.83424caf53bbbp-27, -0x1.594517bdc6c7bp-26,
    0x1.c6b35a2e90f3dp-27,  -0x1.1fc03316fb5c9p-29, -0x1.a0692fee7783bp-30, 0x1.47590574e5d34p-31};
// Relative error 2^-27.0 on [-1, 1.05].
inline constexpr double kErfInvTailF32[] = {
    0x1.3664de0000000p+2,  0x1.02a30a0000000p+0,   -0x1.2302000000000p-13, -0x1.c0b6d60000000p-13,
    0x1.3eaa300000000p-14, -0x1.6bb57a0000000p-16, 0x1.4469040000000p-18};
// Relative error 2^-56.5 on [-1, 1.05].
inline constexpr double kErfInvTailF64[] = {
    0x1.3664ddd1ad7fbp+2,  0x1.02a30d1fba10ep+0,   -0x1.22ea5df1b1a64p-13, -0x1.c2f36aa273d43p-13,
    0x1.3ebf4ef57a48dp-14, -0x1.4a348faf81addp-16, 0x1.2fbd0138d5191p-18,  -0x1.0a907b644931ap-20,
    0x1.ebe0b0fa907aep-23, -0x1.22258f60f415ep-24, 0x1.f2c259d39abd6p-26,  -0x1.061ebb67478b0p-26,
    0x1.0bfa39e07bb7ep-27, -0x1.dcba646073cf7p-29, 0x1.6fda7e9bcc6e3p-30,  -0x1.e2e23691efcc2p-32,
    0x1.fa9f57b0fe492p-35, 0x1.7c94eb272bc7fp-35,  -0x1.379025210cffcp-36};
// Relative error 2^-27.7 on [-0.5, 0.5].
inline constexpr double kLgammaF32[] = {
    0x1.b0ee600000000p-2,   0x1.4a34cc0000000p-2,  -0x1.13e0000000000p-4,
    0x1.5135980000000p-6,   -0x1.e40b300000000p-8, 0x1.7956ce0000000p-9,
    -0x1.374ac20000000p-10, 0x1.2af9d40000000p-11, -0x1.06bbbc0000000p-12};
// Relative error 2^-55.4 on [-0.5, 0.5].
inline constexpr double kLgammaF64[] = {
    0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa6p-2,  -0x1.13e001a557555p-4,  0x1.51322ac7d8333p-6,
    -0x1.e404fc21d8fe7p-8,  0x1.7add6eadfcc7bp-9,  -0x1.38ac5bfce42c1p-10, 0x1.0b36af5972ed1p-11,
    -0x1.d3fd6a9087d23p-13, 0x1.a127cd91ac95bp-14, -0x1.78d8f868f383fp-15, 0x1.5808af19fa483p-16,
    -0x1.3d4ce65b1d70bp-17, 0x1.2620de1c78d97p-18, -0x1.08fccc794a9c7p-19, 0x1.f038cb2f6a913p-21,
    -0x1.37fd97eeee99dp-21, 0x1.2703c6effc4ebp-22};
// Relative error 2^-27.8 on [-0.5, 0.5].
inline constexpr double kDigammaQuotientF32[] = {
    0x1.e6f0cc0000000p-1, -0x1.b1cb680000000p-2, 0x1.eca1900000000p-3, -0x1.2febbe0000000p-3,
    0x1.850eaa0000000p-4, -0x1.fc5cd20000000p-5, 0x1.4ea4b80000000p-5, -0x1.a67e080000000p-6,
    0x1.1869780000000p-6, -0x1.0c43f00000000p-6, 0x1.65418a0000000p-7};
// Relative error 2^-55.8 on [-0.5, 0.5].
inline constexpr double kDigammaQuotientF64[] = {
    0x1.e6f0cbb873617p-1,  -0x1.b1cb63005ee97p-2,  0x1.eca189b8e6da1p-3,  -0x1.2feeeb98a7cd8p-3,
    0x1.8512e5905d180p-4,  -0x1.fb442029cdbf4p-5,  0x1.4de9aa05d3418p-5,  -0x1.b9f8b1367959dp-6,
    0x1.256475e5ac975p-6,  -0x1.86355f6f68797p-7,  0x1.03c00801ba958p-7,  -0x1.5a071c746535bp-8,
    0x1.cd3e42d157015p-9,  -0x1.33661f9073563p-9,  0x1.980fc9c9f0be8p-10, -0x1.1002aaf6255f5p-10,
    0x1.7b3b41b0b38cdp-11, -0x1.f99f529bd0771p-12, 0x1.dc8ae08af0fc4p-13, -0x1.3db05b36d9a48p-13,
    0x1.104c9d0897b58p-12, -0x1.6b107f71aa124p-13};
// Relative error 2^-30.3 on [0, 64].
inline constexpr double kBesselI1SmallF32[] = {
    0x1.0000000000000p-1,  0x1.0000000000000p-4,  0x1.55555e0000000p-9,  0x1.c71bf80000000p-15,
    0x1.6c1a820000000p-21, 0x1.8439c80000000p-28, 0x1.28acc20000000p-35, 0x1.4c70240000000p-43,
    0x1.4752360000000p-51, 0x1.13a0ec0000000p-60, 0x1.e077100000000p-68};
// Relative error 2^-59.0 on [0, 64].
inline constexpr double kBesselI1SmallF64[] = {
    0x1.0000000000000p-1,  0x1.0000000000001p-4,  0x1.5555555555540p-9,   0x1.c71c71c71c9ecp-15,
    0x1.6c16c16c13a93p-21, 0x1.845c8a0d26f80p-28, 0x1.27e4fb73f1ad7p-35,  0x1.522a443ba2a26p-43,
    0x1.2c97552280795p-51, 0x1.ab8234c2c46fbp-60, 0x1.f17258b099a34p-69,  0x1.e290ec0d14f98p-78,
    0x1.8a6faa072cdf9p-87, 0x1.1dc3a22d140b2p-96, 0x1.1ec8e2d9b0ddbp-106, 0x1.20de50ee937a2p-115};
// Relative error 2^-29.2 on [0, 0.125].
inline constexpr double kBesselI1LargeF32[] = {
    0x1.9884540000000p-2,  -0x1.32630c0000000p-3, -0x1.7f5dc80000000p-5, -0x1.3dbe8e0000000p-5,
    -0x1.a04afe0000000p-4, 0x1.4e247c0000000p-2,  -0x1.0642ec0000000p+1};
// Relative error 2^-55.0 on [0, 0.125].
inline constexpr double kBesselI1LargeF64[] = {
    0x1.9884533d43650p-2,   -0x1.32633e6df1fd8p-3, -0x1.7efc0e16a7ad0p-5,  -0x1.4f1c6d2ea3700p-5,
    -0x1.d766c16b26f52p-5,  -0x1.b6f2905fdef26p-4, -0x1.7689c70fd7a22p-1,  0x1.4a21c3b06e271p+5,
    -0x1.5fc1b83696ebap+11, 0x1.14d11d2bdbd64p+17, -0x1.4fb436f4878cfp+22, 0x1.3dc7ff61dab68p+27,
    -0x1.da2750869210cp+31, 0x1.18582d2b239c5p+36, -0x1.074557f1a3b54p+40, 0x1.88272f54d7775p+43,
    -0x1.ccf0b85f533a8p+46, 0x1.a79590dc9ccd5p+49, -0x1.2bd5859c6fc46p+52, 0x1.3f827b276b64ep+54,
    -0x1.ee4068a538e44p+55, 0x1.05118337f94f9p+57, -0x1.4fb110f69d6c3p+57, 0x1.8a72ab2fc6959p+56};
// The positive root of digamma, as a sum of two numbers.
inline constexpr double kDigammaRootF32[] = {0x1.762d860000000p+0, 0x1.ab5f200000000p-27};
inline constexpr double kDigammaRootF64[] = {0x1.762d86356be3fp+0, 0x1.b86a722197829p-54};
// Of log Γ and digamma: B_2k / (2k (2k - 1)), B_2k / 2k; of Euler and Maclaurin: B_2k / (2k)!.
inline constexpr double kStirling[] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c16c17p-9,  0x1.a01a01a01a01ap-11, -0x1.3813813813814p-11,
    0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10, 0x1.a41a41a41a41ap-8,  -0x1.e4286cb0f5398p-6,
    0x1.6fe96381e0680p-3,  -0x1.6476701181f3ap+0};
inline constexpr double kDigammaSeries[] = {
    0x1.5555555555555p-4, -0x1.1111111111111p-7, 0x1.0410410410410p-8, -0x1.1111111111111p-8,
    0x1.f07c1f07c1f08p-8, -0x1.5995995995996p-6, 0x1.5555555555555p-4, -0x1.c5e5e5e5e5e5ep-2,
    0x1.86e7f9b9fe6e8p+1, -0x1.a74ca514ca515p+4};
inline constexpr double kEulerMaclaurin[] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15, -0x1.bbd779334ef0bp-21,
    0x1.66a8f2bf70ebep-26, -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37, -0x1.7da4e1f79955cp-42,
    0x1.355871d652e9ep-47, -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58, -0x1.497d9033a2b5cp-63};

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_CHLO_COEFFICIENTS_H_
