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
const MOST_BODIES = 64 * 1024 * 1024

/** Every request that came in, newest last; the oldest are forgotten beyond 50,000 or 64 MiB of bodies. */
export interface RequestJournal {
  open(entry: Omit<JournalEntry, 'id' | 'body' | 'status' | 'fault'>): JournalEntry
  setBody(entry: JournalEntry, body: unknown): void
  list(filter: { vendor?: string; method?: string; path?: string; after?: number }): JournalEntry[]
  clear(): void
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  try {
    return JSON.stringify(body)
  } catch {
    // Nested so deeply that it can be read but not written again.
    return ''
  }
}

/** An empty journal. */
export function createRequestJournal(): RequestJournal {
  let entries: JournalEntry[] = []
  let last = 0
  let bodies = 0
  const forgetOldest = (): void => {
    if (entries.length <= MOST_ENTRIES && bodies <= MOST_BODIES) return
    entries = entries.slice(Math.ceil(entries.length / 4))
    bodies = entries.reduce((sum, entry) => sum + entry.body.length, 0)
  }
  return {
    open(entry) {
      const opened: JournalEntry = { ...entry, id: ++last, body: '', status: null, fault: null }
      entries.push(opened)
      forgetOldest()
      return opened
    },
    setBody(entry, body) {
      if (body === undefined || body === null) return
      entry.body = textOf(body).slice(0, MOST_BODY)
      bodies += entry.body.length
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
      bodies = 0
    },
  }
}
