"""From characters to presses: keymaps, and the letters of other alphabets by their place on the keyboard."""
