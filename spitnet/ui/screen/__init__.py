"""The full screen: prompt_toolkit shows a frame and hands on keys. No other room imports prompt_toolkit."""
