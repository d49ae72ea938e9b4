"""Fourier transforms of 256 signals of 512 points, and spectrograms of long waveforms."""

from __future__ import annotations

from generator.probe.references.arguments import COMPLEX_MATRIX, MATRIX
from generator.probe.references.program import Program, alike, called, programs

WINDOW = "window = torch.hann_window(512)"

SIGNALS: dict[str, Program] = {
    **programs(
        "signals",
        MATRIX,
        alike(
            "{}(input)",
            "fft fft2 fftn fftshift ifftshift ihfft ihfft2 ihfftn rfft rfft2 rfftn",
            module="torch.fft",
        ),
    ),
    **programs(
        "signals, complex",
        COMPLEX_MATRIX,
        alike("{}(input)", "ifft ifft2 ifftn", module="torch.fft"),
    ),
    **programs(
        "spectra of real signals",
        "input = torch.randn(256, 257, dtype=torch.complex64)",
        alike("{}(input)", "hfft hfft2 hfftn irfft irfft2 irfftn", module="torch.fft"),
    ),
    **programs(
        "waveforms",
        f"input = torch.randn(8, 16384)\n{WINDOW}",
        called("torch.stft(input, n_fft=512, window=window, return_complex=True)"),
    ),
    **programs(
        "spectrograms",
        f"input = torch.randn(8, 257, 129, dtype=torch.complex64)\n{WINDOW}",
        called("torch.istft(input, n_fft=512, window=window)"),
    ),
}
