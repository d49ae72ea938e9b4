"""Price a call: derive what it keeps in terms of its dimensions, and try that on real calls."""
