import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '../../tests/support/wait-until.ts'
import { listOperations } from './operations.ts'
import { createControl } from './start-sandbox.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-start-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A program such as the system's own Node, in front of which nothing of this project is on the path. */
const systemPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.includes('node_modules'))
  .join(delimiter)

/** Runs the launcher until it ends or says it is ready; answers what it said and how it ended. */
function run(settings: Record<string, string>, args: string[] = ['--json']) {
  const child = spawn('node', ['src/sandbox/start.mjs', ...args], {
    cwd: root,
    env: {
      ...process.env,
      PATH: systemPath,
      SANDBOX_PORT: '0',
      SANDBOX_SCENARIO: 'new-seller',
      ...settings,
    },
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()))
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const ready = new Promise<{ url: string }>(resolve =>
    child.stdout.on(
      'data',
      () =>
        output.out.startsWith('{') && output.out.includes('\n') && resolve(JSON.parse(output.out) as { url: string }),
    ),
  )
  return { child, output, ended, ready }
}

describe('the program', () => {
  test('reports in one line of JSON that it is ready, and stops cleanly on request', async () => {
    const { child, ended, ready } = run({ SANDBOX_DATA: join(folder, 'data') })
    const { url } = await ready
    const token = (await readFile(join(folder, 'data', 'control-token'), 'utf8')).trim()
    const state = await createControl(url, token)('GET', 'state')
    expect(await state.json()).toMatchObject({ scenario: 'new-seller' })
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('is started by whatever Node the system has, and names its addresses and its token to people', async () => {
    const { child, output, ended } = run({ SANDBOX_CONTROL_TOKEN: 'a-token-of-my-own', SANDBOX_HTTPS_PORT: '0' }, [
      '--https',
      '--data',
      join(folder, 'people'),
    ])
    await waitUntil(() => expect(output.out).toContain('Ctrl-C'))
    const url = /Emulator +(\S+)/.exec(output.out)?.[1] ?? ''
    const secure = /HTTPS +https:\/\/localhost:\d+/.exec(output.out)?.[0]
    const ca = /NODE_EXTRA_CA_CERTS=(\S+)/.exec(output.out)?.[1] ?? ''
    expect(output.out).toContain(`Console        ${url}/console/enter#a-token-of-my-own`)
    expect([secure, await readFile(ca, 'utf8')]).toEqual([
      expect.any(String),
      expect.stringContaining('BEGIN CERTIFICATE'),
    ])
    expect((await createControl(url, 'a-token-of-my-own')('GET', 'clock')).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('ends with the process that started it, even when that one is killed', async () => {
    const { child, ready } = run({})
    const { url } = await ready
    child.kill('SIGKILL')
    await waitUntil(() => expect(fetch(`${url}/healthz`)).rejects.toThrow())
  })

  test('explains every option and variable, and rejects unknown ones', async () => {
    const help = run({}, ['--help'])
    expect(await help.ended).toBe(0)
    const source = await readFile(join(root, 'src/sandbox/settings.ts'), 'utf8')
    const names = new Set([...source.matchAll(/SANDBOX_[A-Z_]+/g)].map(([name]) => name))
    expect(names.size).toBeGreaterThan(9)
    for (const name of names) expect(help.output.out).toContain(name)
    const unknown = run({}, ['--colour'])
    expect(await unknown.ended).toBe(1)
    expect(unknown.output.err).toContain("'--colour'")
  })

  test('lists the same operations as OPERATIONS.md', async () => {
    expect(await listOperations()).toBe(await readFile(join(root, 'src/sandbox/OPERATIONS.md'), 'utf8'))
  })

  test('reports in one sentence why it cannot start', async () => {
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
    expect(runs.map(one => one.output.err)).toEqual([
      `Port ${port} is in use; set SANDBOX_PORT to another one.\n`,
      `${join(folder, 'file', 'below')} cannot be used (ENOTDIR); set SANDBOX_DATA to a folder that can be written.\n`,
      'SANDBOX_PORT: must be a port from 0 to 65535.\n',
    ])
    taken.close()
  })
})
