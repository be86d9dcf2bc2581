module {
  func.func @main(%x: tensor<1x32x32x8xi8>, %w: tensor<8x3x3x8xi8>, %b: tensor<8xi32>) -> tensor<1x32x32x8xi8> {
    %0 = tosa.conv2d %x, %w, %b {pad = array<i64: 1, 1, 1, 1>} : (tensor<1x32x32x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>) -> tensor<1x32x32x8xi8>
    %1 = tosa.add %0, %x : (tensor<1x32x32x8xi8>, tensor<1x32x32x8xi8>) -> tensor<1x32x32x8xi8>
    %2 = torch.operator "onnx.Softmax"(%1) : (tensor<1x32x32x8xi8>) -> tensor<1x32x32x8xi8>
    return %2 : tensor<1x32x32x8xi8>
  }
}
