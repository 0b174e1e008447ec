"""The endpoints, a file for each kind of thing; each holds ENDPOINTS."""
