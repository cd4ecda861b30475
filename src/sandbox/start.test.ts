import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createControl } from './start-sandbox.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-start-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs the program until it ends or says it is ready; answers what it said and how it ended. */
const run = (settings: Record<string, string>) => {
  const child = spawn('node', ['src/sandbox/start.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PATH: `${root}node_modules/.bin:${process.env.PATH}`,
      NODE_COMPILE_CACHE: join(root, '.cache', 'node'),
      SANDBOX_PORT: '0',
      SANDBOX_SCENARIO: 'new-seller',
      ...settings,
    },
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const ready = new Promise<{ url: string }>(resolve =>
    child.stdout.on('data', () => said.out.includes('\n') && resolve(JSON.parse(said.out) as { url: string })),
  )
  return { child, said, ended, ready }
}

describe('the program', () => {
  test('says in one line of JSON that it is ready, and ends in good order when asked to', async () => {
    const { child, ended, ready } = run({ SANDBOX_DATA: join(folder, 'data') })
    const { url } = await ready
    const token = (await readFile(join(folder, 'data', 'control-token'), 'utf8')).trim()
    const state = await createControl(url, token)('GET', 'state')
    expect(await state.json()).toMatchObject({ scenario: 'new-seller' })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('says in one sentence what keeps it from starting', async () => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, 'localhost', resolve))
    const { port } = taken.address() as { port: number }
    await writeFile(join(folder, 'file'), '')
    const runs = [
      run({ SANDBOX_PORT: String(port) }),
      run({ SANDBOX_DATA: join(folder, 'file', 'below') }),
      run({ SANDBOX_PORT: 'many' }),
    ]
    expect(await Promise.all(runs.map(one => one.ended))).toEqual([1, 1, 1])
    expect(runs.map(one => one.said.err)).toEqual([
      `Port ${port} is in use; set SANDBOX_PORT to another one.\n`,
      `${join(folder, 'file', 'below')} cannot be used (ENOTDIR); set SANDBOX_DATA to a folder that can be written.\n`,
      'SANDBOX_PORT: must be a port from 0 to 65535.\n',
    ])
    taken.close()
  })
})
