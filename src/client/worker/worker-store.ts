import { clear, createStore, get, set, update } from 'idb-keyval'

// What the service worker remembers between two of its short lives. Pages read it too.

/** A button of a push that could not reach the server yet. */
export interface PendingAction {
  token: string
  button: string
  tag: string
  /** The card that it is about, as a path of the app. */
  url: string
  pressedAt: number
}

// Opened when it is first needed: a library that opens it at once would fail where there is no IndexedDB.
let opened: ReturnType<typeof createStore> | undefined
const store = () => (opened ??= createStore('tideline-worker', 'values'))

const lastPushKey = 'last-push-at'
const actionsKey = 'actions'

// A browser may have no storage, or refuse it.
async function orElse<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work()
  } catch {
    return otherwise
  }
}

/** When this browser last received a push; null if never, or if nothing can be stored here. */
export const lastPushAt = (): Promise<number | null> =>
  orElse(async () => (await get<number>(lastPushKey, store())) ?? null, null)
export const noteLastPush = (at: number): Promise<void> => orElse(() => set(lastPushKey, at, store()), undefined)

export const pendingActions = (): Promise<PendingAction[]> =>
  orElse(async () => (await get<PendingAction[]>(actionsKey, store())) ?? [], [])

const changeActions = (change: (actions: PendingAction[]) => PendingAction[]): Promise<void> =>
  orElse(() => update<PendingAction[]>(actionsKey, (actions = []) => change(actions), store()), undefined)
export const addPendingAction = (action: PendingAction): Promise<void> =>
  changeActions(actions => [...actions.filter(({ token }) => token !== action.token), action])
export const removePendingAction = (token: string): Promise<void> =>
  changeActions(actions => actions.filter(action => action.token !== token))

/** Forgets everything: it belongs to the user who is leaving. */
export const wipeWorkerStore = (): Promise<void> => orElse(() => clear(store()), undefined)
