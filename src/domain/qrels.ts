/** Grades by document id for one query; a document that is absent is unjudged. Grades are integers, negative ones allowed. */
export type Judgements = ReadonlyMap<string, number>;

/** Judgements by query id. Maps, never objects: `__proto__` is a legal id. */
export type Qrels = ReadonlyMap<string, Judgements>;
