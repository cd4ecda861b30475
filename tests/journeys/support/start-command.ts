import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../support/processes.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A copy of the working tree like a clone, with node_modules. */
export function copyOfTree(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'tideline-start-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const path of listed.split('\0').filter(name => name && existsSync(join(root, name))))
    cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export interface Ended {
  code: number | null
  errors: string
}

export interface Started {
  /** The output so far. */
  printed(): string
  /** Resolves when the output contains this; rejects if the process ends first. */
  says(text: string): Promise<void>
  /** Like Ctrl-C in a terminal: the signal goes to every process in the foreground. */
  interrupt(): Promise<Ended>
  ended: Promise<Ended>
}

/** Runs `npm start` in this folder with these settings. */
export function npmStart(folder: string, env: Record<string, string>): Started {
  const child: ChildProcess = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: '', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, errors] = ['', '']
  const ended = new Promise<Ended>(resolve => child.once('close', code => resolve({ code, errors })))
  child.stderr?.on('data', chunk => (errors += String(chunk)))
  child.stdout?.on('data', chunk => (out += String(chunk)))
  return {
    ended,
    printed: () => out,
    says: text =>
      new Promise((resolve, reject) => {
        const look = () => out.includes(text) && resolve()
        child.stdout?.on('data', look)
        look()
        void ended.then(end => reject(new Error(`npm start ended with ${end.code}: ${out}${end.errors}`)))
      }),
    interrupt: () => {
      if (child.pid) process.kill(-child.pid, 'SIGINT')
      return ended
    },
  }
}

/** Three free ports, as settings. */
export async function freePorts() {
  const [PORT, SANDBOX_PORT, SANDBOX_SMTP_PORT] = await Promise.all([freePort(), freePort(), freePort()])
  return { PORT: String(PORT), SANDBOX_PORT: String(SANDBOX_PORT), SANDBOX_SMTP_PORT: String(SANDBOX_SMTP_PORT) }
}

/** True if something listens at the port. */
export function listens(port: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = createConnection({ port: Number(port), host: 'localhost' })
    socket.once('connect', () => (socket.destroy(), resolve(true)))
    socket.once('error', () => resolve(false))
  })
}

/** A file: not even root can create a folder below it. */
export const aFile = fileURLToPath(import.meta.url)
