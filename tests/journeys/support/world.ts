import { test as base } from '@playwright/test'
import { type Processes, startProcesses } from '../../support/processes.ts'
import { createDatabase } from './create-database.ts'

interface Options extends Pick<NonNullable<Parameters<typeof startProcesses>[0]>, 'scenario' | 'followsClock'> {
  /** Uses the embedded database although TEST_DATABASE_URL names a server, which costs several times less. */
  embedded?: boolean
}

/** The product and the emulator for one file of journeys; `now` returns them once they run. */
export function worldOfFile({ embedded = false, ...options }: Options = {}): { readonly now: Processes } {
  let processes: Processes | undefined
  let drop: (() => Promise<void>) | undefined
  base.beforeAll(async () => {
    const database = embedded ? null : await createDatabase()
    drop = database?.drop
    processes = await startProcesses({ ...options, ...(database && { databaseUrl: database.url }) })
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
