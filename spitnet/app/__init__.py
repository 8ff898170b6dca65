"""The only room that reads clocks and entropy, and joins the pure rooms with sockets, files and screens."""
