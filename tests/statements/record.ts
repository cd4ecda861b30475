import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** A statement as it was sent, with the file of ours that sent it. */
export interface Recorded {
  text: string
  from: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const seen = new Set<string>()
const place = /(?:\/|file:\/\/)((?:src|tests)\/[\w./-]+\.tsx?)/
// These send what others ask for.
const passesOn =
  /^src\/server\/db\/(?:open-database|prepared|tenant-driver|tenant-query|tenant-transaction)\.ts$|^tests\/statements\//
// The queue's own statements come from no file of ours, and so do those of a test that waits for nothing.
// What a migration does is done once, by the owner of all tables.
const isOthers = (file: string): boolean =>
  file === '' || file.startsWith('tests/') || file.endsWith('.test.ts') || file === 'src/server/db/migrate.ts'

/** The same text for statements that differ in the number of their parameters only, as lists of values do. */
const shapeOf = (text: string): string =>
  text
    .replace(/\$\d+/g, '$')
    .replace(/'[^']*'::timestamptz/g, '$')
    .replace(/\$(?:, ?\$)+/g, '$')
    .replace(/\(\$\)(?:, ?\(\$\))+/g, '($)')

function senderNow(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  for (const line of stack.split('\n')) {
    const file = line.includes(root) && !line.includes('node_modules') ? place.exec(line)?.[1] : undefined
    if (file && !passesOn.test(file)) return file
  }
  return ''
}

function record(file: string, query: unknown) {
  const text = typeof query === 'string' ? query : (query as { text?: unknown } | null)?.text
  if (typeof text !== 'string') return
  const shape = shapeOf(text)
  if (seen.has(shape)) return
  const from = senderNow()
  if (isOthers(from)) return
  seen.add(shape)
  appendFileSync(file, `${JSON.stringify({ text, from } satisfies Recorded)}\n`)
}

const mark = Symbol.for('tideline.statements are recorded')
type Send = (this: pg.Client, ...args: unknown[]) => unknown

/** From now on, each statement that this process sends to a PostgreSQL server is written once into a file of the folder. */
export function recordStatements(folder: string) {
  const client = pg.Client.prototype as unknown as { query: Send; [mark]?: true }
  if (client[mark]) return
  client[mark] = true
  const file = join(folder, `${process.pid}-${process.env.VITEST_POOL_ID ?? 0}.jsonl`)
  const { query } = client
  client.query = function (...args) {
    record(file, args[0])
    return query.apply(this, args)
  }
}
