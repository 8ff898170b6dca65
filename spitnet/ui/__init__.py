"""What a person sees and presses. `ui` and `net` never meet; the runtime stands between them."""
