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

interface JournalFilter {
  vendor?: string | undefined
  method?: string | undefined
  path?: string | undefined
  /** Only entries with a higher id. */
  after?: number | undefined
}

const MOST_ENTRIES = 50_000
const MOST_BODY = 65_536
const MOST_BODIES = 64 * 1024 * 1024

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  try {
    return JSON.stringify(body)
  } catch {
    // Nested so deeply that it can be read but not written again.
    return ''
  }
}

/** Every request that came in, newest last; the oldest are forgotten beyond 50,000 or 64 MiB of bodies. */
export class RequestJournal {
  private entries: JournalEntry[] = []
  private lastId = 0
  private bodies = 0

  open(entry: Omit<JournalEntry, 'id' | 'body' | 'status' | 'fault'>): JournalEntry {
    const opened: JournalEntry = { ...entry, id: ++this.lastId, body: '', status: null, fault: null }
    this.entries.push(opened)
    if (this.entries.length > MOST_ENTRIES || this.bodies > MOST_BODIES) {
      this.entries = this.entries.slice(Math.ceil(this.entries.length / 4))
      this.bodies = this.entries.reduce((sum, one) => sum + one.body.length, 0)
    }
    return opened
  }

  setBody(entry: JournalEntry, body: unknown): void {
    if (body === undefined || body === null) return
    entry.body = textOf(body).slice(0, MOST_BODY)
    this.bodies += entry.body.length
  }

  list({ vendor, method, path, after = 0 }: JournalFilter): JournalEntry[] {
    return this.entries.filter(
      entry =>
        entry.id > after &&
        (!vendor || entry.vendor === vendor) &&
        (!method || entry.method === method.toUpperCase()) &&
        (!path || entry.path.includes(path)),
    )
  }

  clear(): void {
    this.entries = []
    this.bodies = 0
  }
}
