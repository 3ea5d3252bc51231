/* The example of docs/custom_calls.md, and a function of two results. */
void myfunc(void* out, void** in) {
  const float* x = in[0];
  const float(*y)[3] = in[1];
  float(*z)[3] = out;
  for (int i = 0; i < 9; ++i) z[i / 3][i % 3] = 0;
  z[0][0] = x[1] + y[1][0];
}

void minus_and_plus(void* out, void** in) {
  const float* x = in[0];
  void** outs = out;
  *(float*)outs[0] = *x - 1;
  *(float*)outs[1] = *x + 1;
}

/* No function, though it has a name. */
int a_variable = 41;
