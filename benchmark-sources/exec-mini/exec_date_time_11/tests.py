assert next_cron_minute(datetime(2024, 5, 1, 10, 0), [15], [10]) == datetime(2024, 5, 1, 10, 15)
assert next_cron_minute(datetime(2024, 5, 1, 10, 15), [15], [10]) == datetime(2024, 5, 2, 10, 15)
assert next_cron_minute(datetime(2024, 5, 1, 10, 15, 30), [15, 16], [10]) == datetime(2024, 5, 1, 10, 16)
assert next_cron_minute(datetime(2024, 5, 1, 23, 59), [0], [0, 12]) == datetime(2024, 5, 2, 0, 0)
assert next_cron_minute(datetime(2024, 12, 31, 18, 0), [30], [9]) == datetime(2025, 1, 1, 9, 30)
assert next_cron_minute(datetime(2024, 5, 1), [], [1]) is None
assert next_cron_minute(datetime(2024, 5, 1), [61], [1]) is None
assert next_cron_minute(datetime(2024, 5, 1, 9, 29), [30, 45], [8, 9]) == datetime(2024, 5, 1, 9, 30)
