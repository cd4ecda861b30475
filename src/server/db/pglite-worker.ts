import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { parsers } from './parsers.ts'

export interface PGliteCall {
  id: number
  op: 'query' | 'exec' | 'listen' | 'unlisten' | 'dump' | 'close'
  args: unknown[]
}
export type PGliteReply =
  | { id: number; value?: unknown; error?: { message: string } & Record<string, unknown> }
  | { channel: string; payload: string }

/** Where an embedded database starts. */
export interface PGliteStart {
  /** In memory without it. */
  dataDir?: string
  /** A tarball of a data folder to start from. */
  template?: Uint8Array
  /** PGlite's own program, which all databases of a process can share; otherwise each thread compiles it. */
  program?: PGliteOptions['pgliteWasmModule']
}

const { dataDir, template, program } = workerData as PGliteStart
const port = parentPort
if (!port) throw new Error('this file runs as a worker thread only')

const db = await PGlite.create({
  ...(dataDir && { dataDir }),
  ...(program && { pgliteWasmModule: program }),
  ...(template && { loadDataDir: new Blob([template as Uint8Array<ArrayBuffer>]) }),
  parsers,
})
const unlisten = new Map<string, () => Promise<void>>()

const operations: Record<PGliteCall['op'], (...args: never[]) => Promise<unknown>> = {
  query: (sql: string, params: unknown[]) => db.query(sql, params),
  exec: (sql: string) => db.exec(sql),
  listen: async (channel: string) => {
    unlisten.set(
      channel,
      await db.listen(channel, payload => port.postMessage({ channel, payload } satisfies PGliteReply)),
    )
  },
  unlisten: async (channel: string) => {
    await unlisten.get(channel)?.()
    unlisten.delete(channel)
  },
  dump: async () => new Uint8Array(await (await db.dumpDataDir('none')).arrayBuffer()),
  close: () => db.close(),
}

port.on('message', ({ id, op, args }: PGliteCall) => {
  operations[op](...(args as never[])).then(
    value => {
      port.postMessage({ id, value } satisfies PGliteReply)
      // Now nothing keeps the thread alive, so it ends once its work is done.
      if (op === 'close') port.close()
    },
    (error: Error) =>
      port.postMessage({
        id,
        error: { ...Object.fromEntries(Object.entries(error)), message: error.message },
      } satisfies PGliteReply),
  )
})
port.postMessage({ id: 0 } satisfies PGliteReply)
