import heapq


def merge_k_sorted_unique(lists):
    heap = []
    for which, values in enumerate(lists):
        if values:
            heap.append((values[0], which, 0))
    heapq.heapify(heap)
    merged = []
    while heap:
        value, which, position = heapq.heappop(heap)
        if not merged or merged[-1] != value:
            merged.append(value)
        position += 1
        if position < len(lists[which]):
            heapq.heappush(heap, (lists[which][position], which, position))
    return merged
