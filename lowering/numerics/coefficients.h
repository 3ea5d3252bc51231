// Made by coefficients.py; do not edit. Polynomials, lowest power first.
#ifndef HALYARD_LOWERING_NUMERICS_COEFFICIENTS_H_
#define HALYARD_LOWERING_NUMERICS_COEFFICIENTS_H_

#include <cstdint>

#include "lowering/numerics/float_ops.h"

namespace halyard::lowering::numerics {

// Error 2^-26.9 of the result, on [-0.3475, 0.3475].
inline constexpr double kExpTail32[] = {0x1.0000000000000p-1, 0x1.5554dc0000000p-3,
                                        0x1.5555180000000p-5, 0x1.120cba0000000p-7,
                                        0x1.6d12540000000p-10};
// Error 2^-28.4 of the result, on [-0.2929, 0.4142].
inline constexpr double kLogTail32[] = {
    0x1.5555540000000p-2,  -0x1.fffffc0000000p-3, 0x1.999d5a0000000p-3,
    -0x1.555b4a0000000p-3, 0x1.23d21a0000000p-3,  -0x1.fcf4c60000000p-4,
    0x1.dea2820000000p-4,  -0x1.d635bc0000000p-4, 0x1.1d8ea60000000p-4};
// Error 2^-27.5 of the result, on [0, 0.3919].
inline constexpr double kTanhTail32[] = {-0x1.5555560000000p-2, 0x1.1110e80000000p-3,
                                         -0x1.ba088e0000000p-5, 0x1.64a5ee0000000p-6,
                                         -0x1.1152f60000000p-7, 0x1.2c1b1c0000000p-9};
// Error 2^-26.8 of the result, on [-0.01, 2.95].
inline constexpr double kErfTail32[] = {
    -0x1.d97fc00000000p+0, -0x1.51c9b40000000p+1, -0x1.afab080000000p-1, -0x1.54afc60000000p-5,
    0x1.4af8a20000000p-7,  -0x1.10507c0000000p-9, 0x1.5e4b940000000p-12, -0x1.3c27bc0000000p-15,
    0x1.4fc4cc0000000p-19, -0x1.1937260000000p-24};
// Error 2^-33.8 of the result, on [0, 0.02944].
inline constexpr double kAtanhTail5_32[] = {0x1.9999a40000000p-2, 0x1.247a300000000p-2,
                                            0x1.d807120000000p-3};
// Error 2^-28.3 of the result, on [0, 0.617].
inline constexpr double kSinTail32[] = {-0x1.5555560000000p-3, 0x1.11110e0000000p-7,
                                        -0x1.a013a60000000p-13, 0x1.6dbdc20000000p-19};
// Error 2^-30.5 of the result, on [0, 0.617].
inline constexpr double kCosTail32[] = {0x1.5555560000000p-5, -0x1.6c16c00000000p-10,
                                        0x1.a015c40000000p-16, -0x1.2524200000000p-22};
// Error 2^-28.5 of the result, on [0, 0.1716].
inline constexpr double kAtanTail32[] = {-0x1.5555540000000p-2, 0x1.9997300000000p-3,
                                         -0x1.2420320000000p-3, 0x1.b80ffc0000000p-4,
                                         -0x1.0844b00000000p-4};
// Error 2^-27.5 of the result, on [0, 1].
inline constexpr double kErfSmall32[] = {
    0x1.06eba80000000p-3, -0x1.81273e0000000p-2,  0x1.ce2d100000000p-4, -0x1.b7faba0000000p-6,
    0x1.5412700000000p-8, -0x1.a450880000000p-11, 0x1.4a56900000000p-14};
// Error 2^-61.8 of the result, on [-0.3475, 0.3475].
inline constexpr double kExpTail64[] = {
    0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555556p-5,  0x1.1111111110085p-7,
    0x1.6c16c16c162a3p-10, 0x1.a01a01ac16f76p-13, 0x1.a01a01a6f35fbp-16, 0x1.71de019d031e7p-19,
    0x1.27e4db0f8a3efp-22, 0x1.af4f1ddf981a8p-26, 0x1.1f73b376c0f55p-29};
// Error 2^-60.7 of the result, on [0, 0.02944].
inline constexpr double kAtanhTail64[] = {
    0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476c92p-2, 0x1.c71c72015f6a2p-3,
    0x1.745cf901ea3e6p-3, 0x1.3b1c35ea195d1p-3, 0x1.0fbe86d326548p-3, 0x1.0c04394f7e564p-3};
// Error 2^-59.6 of the result, on [-0.3841, 0.5062].
inline constexpr double kErfcScaled64[] = {
    0x1.058671b52c776p-2,   -0x1.b57034efd3f72p-2,  0x1.eeea7dc8a78b6p-3,   -0x1.437f0b68c0bb8p-4,
    0x1.e94715979b6b9p-9,   0x1.ca95ed531feacp-8,   -0x1.bc25a47a660ebp-11, -0x1.016b5cd4957cep-10,
    0x1.6d5ef9848c74fp-15,  0x1.6da96a8ffc9d4p-13,  0x1.cdcbfdcf4ffa1p-16,  -0x1.ceb3cb478b3bcp-16,
    -0x1.d49dc218d1e96p-17, 0x1.7409fd09da96ap-20,  0x1.fb54d3e940a0cp-19,  0x1.46485dbd65571p-20,
    -0x1.1c32ec2f918f4p-21, -0x1.114e9370f7919p-21, 0x1.2020ea891c19dp-24};
// Error 2^-66.4 of the result, on [0, 0.02944].
inline constexpr double kAtanhTail5_64[] = {
    0x1.999999999999ap-2, 0x1.2492492492521p-2, 0x1.c71c71c6eaa25p-3, 0x1.745d177a94da2p-3,
    0x1.3b1395d295ee7p-3, 0x1.1118c7ca2878bp-3, 0x1.df7cce72f0324p-4, 0x1.e02e35f4285b9p-4};
// Error 2^-57.3 of the result, on [0, 0.617].
inline constexpr double kSinTail64[] = {
    -0x1.5555555555555p-3,  0x1.1111111111110p-7,  -0x1.a01a01a019936p-13, 0x1.71de3a54604eap-19,
    -0x1.ae64541249fb1p-26, 0x1.61217ea9b7ed1p-33, -0x1.ab179a62d26edp-41};
// Error 2^-59.5 of the result, on [0, 0.617].
inline constexpr double kCosTail64[] = {
    0x1.5555555555555p-5,  -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d09p-16, -0x1.27e4fb7712b6bp-22,
    0x1.1eed8deb60c70p-29, -0x1.9394b9b5db2a4p-37, 0x1.ab7827bbeebe6p-45};
// Error 2^-58.0 of the result, on [0, 0.1716].
inline constexpr double kAtanTail64[] = {
    -0x1.5555555555555p-2, 0x1.9999999999997p-3, -0x1.24924924920adp-3, 0x1.c71c71c6ddbb4p-4,
    -0x1.745d173564060p-4, 0x1.3b13aea9c3305p-4, -0x1.1110cee4d4011p-4, 0x1.e1d8e9624fe3bp-5,
    -0x1.aebd1c197a8b7p-5, 0x1.829ccc7dadc23p-5, -0x1.503be8e297e9ep-5, 0x1.f5edcca560882p-6,
    -0x1.c80f374cf2099p-7};
// Error 2^-56.2 of the result, on [0, 0.81].
inline constexpr double kErfSmall64[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b0379e7p-2,  0x1.ce2f21a042bcfp-4,  -0x1.b82ce3128833dp-6,
    0x1.565bcd0e4dc6ap-8,  -0x1.c02db3f8bcd97p-11, 0x1.f9a325b45db29p-14, -0x1.f4d237523b49ap-17,
    0x1.b9e3ea24a86c3p-20, -0x1.5f4cb9da70effp-23, 0x1.f9e53ae66db54p-27, -0x1.404cfeed5c513p-30,
    0x1.1da77cbf6aea3p-34};
// Each as the sum of two doubles.
inline constexpr LongConstant kLn2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
inline constexpr LongConstant kInvLn2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
inline constexpr LongConstant kPi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
inline constexpr LongConstant kHalfPi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
inline constexpr LongConstant kQuarterPi = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
inline constexpr LongConstant kTwoThirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
// 2/pi: 32 bits a word, after the binary point.
inline constexpr uint32_t kTwoOverPi[] = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
    0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
    0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
    0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
    0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du, 0xa9e39161u, 0x5ee61b08u,
    0x6599855fu, 0x14a06840u};

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_COEFFICIENTS_H_
