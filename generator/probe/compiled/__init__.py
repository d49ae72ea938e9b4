"""What AOTAutograd's partitioners keep of a call, traced without compiling kernels."""
