import type { Processes } from '../../support/processes.ts'

/** Moves the outside world: clock, faults, how long reports take. */
export const control = async ({ url }: Processes['sandbox'], what: string, body: object): Promise<void> => {
  const answer = await fetch(`${url}/control/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`)
}
