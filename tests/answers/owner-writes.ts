import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSources, root } from '../architecture/imports.ts'

interface Piece {
  path: string
  name: string
  text: string
}

const migrations = join(root, 'src/server/db/migrations')

/** The tables that hold rows of tenants, by the migrations. */
export function guardedTables(): string[] {
  const text = readdirSync(migrations)
    .map(name => readFileSync(join(migrations, name), 'utf8'))
    .join('\n')
  return [...text.matchAll(/alter table (\w+) enable row level security/g)].map(match => match[1] ?? '')
}

/** Every top-level constant, function and class of the server's code. */
export function serverPieces(): Piece[] {
  return readSources()
    .filter(
      ({ path }) => /^src\/(server|main|features\/[^/]+\/server)\//.test(path) && !/\.test\.ts$|-test-/.test(path),
    )
    .flatMap(({ path }) =>
      readFileSync(join(root, path), 'utf8')
        .split(/^(?=(?:export )?(?:async )?(?:const|function|class) )/m)
        .map(text => ({
          path,
          name: /^(?:export )?(?:async )?(?:const|function|class) (\w+)/.exec(text)?.[1] ?? '',
          text,
        })),
    )
    .filter(piece => piece.name !== '')
}

function writesOne(tables: readonly string[]) {
  const names = tables.join('|')
  return new RegExp(
    `(?:insertInto|updateTable|deleteFrom)\\('(?:${names})[' ]|(?:insert into|update|delete from) (?:(?:${names})\\b|\\$\\{sql\\.table)`,
  )
}

const handles = /\bdb\s*\.(transaction|tenant|reading)\(/g

// A call under `tx` belongs to the transaction that was opened last before it.
function asOwner(text: string, at: number, handle: string): boolean {
  if (/\bdb\.system$/.test(handle)) return true
  return [...text.slice(0, at).matchAll(handles)].at(-1)?.[1] === 'transaction'
}

/**
 * The calls that write rows of these tables as the owner, by which nobody would learn that an answer is out of date:
 * `path: function`. A function that is handed its database handle passes its writes on to who calls it.
 */
export function silentOwnerWrites(pieces: readonly Piece[], tables: readonly string[]): string[] {
  const direct = writesOne(tables)
  const takesHandle = (piece: Piece) => /\b(?:tx|db): Db\b/.test(piece.text)
  const raises = (piece: Piece) => piece.text.includes('raiseVersion(')
  const writers = new Set(pieces.filter(p => takesHandle(p) && direct.test(p.text) && !raises(p)).map(p => p.name))
  const found = new Set<string>()
  for (let previousSize = -1; previousSize !== writers.size + found.size; ) {
    previousSize = writers.size + found.size
    for (const piece of pieces)
      for (const call of piece.text.matchAll(/\b(\w+)\(\s*((?:\w+\.)*\w+)/g)) {
        const [, callee = '', handle = ''] = call
        if (!writers.has(callee) || callee === piece.name || raises(piece)) continue
        if (asOwner(piece.text, call.index, handle)) found.add(`${piece.path}: ${callee}`)
        else if (takesHandle(piece)) writers.add(piece.name)
      }
  }
  return [...found].sort()
}
