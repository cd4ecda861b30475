export interface JournalEntry {
  id: number
  /** World time, ISO. */
  at: string
  vendor: string
  method: string
  /** Without the query. */
  path: string
  query: string
  headers: Record<string, string | string[] | undefined>
  /** The body as it came, cut at 64 KiB. */
  body: string
  /** Null while unanswered, and for good when the connection was cut. */
  status: number | null
  fault: string | null
}

const MOST_ENTRIES = 50_000
const MOST_BODY = 65_536

/** Every request that came in, newest last; the oldest are forgotten beyond 50,000. */
export interface RequestJournal {
  open(entry: Omit<JournalEntry, 'id' | 'body' | 'status' | 'fault'>): JournalEntry
  setBody(entry: JournalEntry, body: unknown): void
  list(filter: { vendor?: string; method?: string; path?: string; after?: number }): JournalEntry[]
  clear(): void
}

/** An empty journal. */
export const createRequestJournal = (): RequestJournal => {
  let entries: JournalEntry[] = []
  let last = 0
  return {
    open(entry) {
      const opened: JournalEntry = { ...entry, id: ++last, body: '', status: null, fault: null }
      entries.push(opened)
      if (entries.length > MOST_ENTRIES * 1.1) entries = entries.slice(-MOST_ENTRIES)
      return opened
    },
    setBody(entry, body) {
      if (body === undefined || body === null) return
      entry.body = (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, MOST_BODY)
    },
    list: ({ vendor, method, path, after = 0 }) =>
      entries.filter(
        entry =>
          entry.id > after &&
          (!vendor || entry.vendor === vendor) &&
          (!method || entry.method === method.toUpperCase()) &&
          (!path || entry.path.includes(path)),
      ),
    clear() {
      entries = []
    },
  }
}
