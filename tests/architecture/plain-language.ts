import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './imports.ts'

const readable = /\.(ts|tsx|mjs|css|sql|md)$/

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? walk(path) : readable.test(entry.name) ? [path] : []
  })
}

/** Every banned word in src, tests and the README, as "path:line: word (use …)". The words are in banned-words.txt. */
export function findBannedWords(): string[] {
  const entries = readFileSync(join(root, 'tests/architecture/banned-words.txt'), 'utf8')
    .split('\n')
    .filter(line => line && !line.startsWith('#'))
    .map(line => line.split(' = ') as [string, string])
  const names = entries.shift()?.[1] ?? ''
  // A name after "const", in a parameter list or in a destructuring; not the key of an object.
  const participle = new RegExp(
    `(?:(?:const|let|\\()\\s*(${names})\\b\\s*(?=[:=,)]))|(?:[{,]\\s*(${names})\\s*(?=[=,)}]))`,
    'g',
  )
  const banned = new RegExp(
    `\\b(?:${entries.map(([pattern]) => `(${pattern.replaceAll('(', '(?:')})`).join('|')})\\b`,
    'gi',
  )
  return ['README.md', ...walk('src'), ...walk('tests')].flatMap(path => {
    const text = readFileSync(join(root, path), 'utf8')
    const lineOf = (index: number) => text.slice(0, index).split('\n').length
    const words = [...text.matchAll(banned)].map(match => {
      const entry = entries[match.slice(1).findIndex(group => group !== undefined)]
      return `${path}:${lineOf(match.index)}: "${match[0]}" (use ${entry?.[1]})`
    })
    if (!/\.(ts|tsx|mjs)$/.test(path)) return words
    const participles = [...text.matchAll(participle)].map(
      match => `${path}:${lineOf(match.index)}: the name "${match[1] ?? match[2]}" (say what it is)`,
    )
    return [...words, ...participles]
  })
}
