module {
  func.func @main(%arg0: tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi32> {
    // line 3
    %0 = tosa.conv2d %arg0, %w, %b : (tensor<1x8x8x8xi8>, tensor<8x1x1x8xi8>, tensor<8xi32>) -> tensor<1x8x8x8xi32>
    %1 = tosa.add %0, %0 : (tensor<1x8x8x8xi32>, tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32>
    // line 6
    // line 7
    // line 8
    // line 9
    // line 10
    // line 11
    // line 12
    // line 13
    // line 14
    // line 15
    // line 16
    // line 17
    // line 18
    // line 19
    // line 20
    // line 21
    // line 22
    // line 23
    // line 24
    // line 25
    // line 26
    // line 27
    // line 28
    // line 29
    // line 30
    // line 31
    // line 32
    // line 33
    // line 34
    // line 35
    // line 36
    // line 37
    // line 38
    // line 39
    // line 40
    // line 41
    // line 42
    // line 43
    // line 44
    // line 45
    // line 46
    // line 47
    // line 48
    // line 49
    // line 50
    // line 51
    // line 52
    // line 53
    // line 54
    %2 = tosa.add %1, %1 : (tensor<1x8x8x8xi32>, tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32>
    // line 56
    // line 57
    // line 58
    // line 59
    return %2 : tensor<1x8x8x8xi32>
  }
}
