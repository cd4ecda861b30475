import type { Processes } from '../../support/processes.ts'

/** Moves the outside world: clock, faults, how long reports take. */
export const control = async (sandbox: Processes['sandbox'], what: string, body: object): Promise<void> => {
  const answer = await sandbox.control('POST', what, body)
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`)
}
