// The script that plays a mandate's events.
