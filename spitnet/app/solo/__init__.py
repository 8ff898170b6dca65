"""The opponent of `spitnet solo`: a process of its own, and how it plays."""
