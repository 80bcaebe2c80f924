assert fold_upload_events([]) == {"status": "idle", "bytes": 0, "ignored": 0}
assert fold_upload_events([("start", 0), ("chunk", 5), ("done", 0)]) == {"status": "finished", "bytes": 5, "ignored": 0}
assert fold_upload_events([("chunk", 5)]) == {"status": "idle", "bytes": 0, "ignored": 1}
assert fold_upload_events([("start", 0), ("pause", 0), ("chunk", 9)]) == {"status": "paused", "bytes": 0, "ignored": 1}
assert fold_upload_events([("start", 0), ("chunk", 4), ("pause", 0), ("resume", 0), ("chunk", 6)]) == {"status": "running", "bytes": 10, "ignored": 0}
assert fold_upload_events([("start", 0), ("chunk", 4), ("abort", 0)]) == {"status": "idle", "bytes": 0, "ignored": 0}
assert fold_upload_events([("start", 0), ("chunk", 0)]) == {"status": "running", "bytes": 0, "ignored": 1}
assert fold_upload_events([("done", 0), ("start", 0), ("start", 0)]) == {"status": "running", "bytes": 0, "ignored": 2}
