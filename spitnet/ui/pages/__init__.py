"""What a person looks at and what their keys mean there: one page at a time, as a scene. Pure. What must not be here: words, drawing."""
