import { test as base } from '@playwright/test'
import { type Processes, startProcesses } from '../../support/processes.ts'
import { ownDatabase } from './own-database.ts'

interface Options {
  /** On PostgreSQL where TEST_DATABASE_URL names a server, else embedded like the rest. */
  onServer?: boolean
}

/** The product and the outside world for the stories of one file; `now` answers them once they run. */
export const worldOfFile = ({ onServer = false }: Options = {}): { readonly now: Processes } => {
  let processes: Processes | undefined
  let drop: (() => Promise<void>) | undefined
  base.beforeAll(async () => {
    const database = onServer ? await ownDatabase() : null
    drop = database?.drop
    processes = await startProcesses(database ? { databaseUrl: database.url } : {})
  })
  base.afterAll(async () => {
    await processes?.stop()
    await drop?.()
  })
  return {
    get now() {
      if (!processes) throw new Error('The world is not running yet')
      return processes
    },
  }
}
