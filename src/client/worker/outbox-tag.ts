/** IndexedDB: how many changes wait, for the worker, which cannot read local storage; its store and key. */
export const outboxDatabase = 'tideline-outbox'
export const outboxStore = 'waiting'
export const waitingKey = 'count'
/** The tag of the browser's Background Sync that stands for waiting changes. */
export const outboxTag = 'tideline.outbox'
