"""What a person sees and presses. `ui` and `net` never meet; the app stands between them."""
