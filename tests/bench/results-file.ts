import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('results.md', import.meta.url))
const preface = `# What was measured last

Written by \`npm run bench\` (one part alone: \`npm run bench -- size\`). Figures depend on the machine and on what else it
does; each part says which machine, when, and how busy it was.
`

/** Writes one part's section of results.md and leaves those of the other parts as they were. */
export function saveSection(part: string, body: string): void {
  const sections = new Map<string, string>()
  const previous = existsSync(file) ? readFileSync(file, 'utf8') : ''
  for (const section of previous.split(/^## /m).slice(1)) {
    const [title = '', ...rest] = section.split('\n')
    sections.set(title.trim(), rest.join('\n').trim())
  }
  sections.set(part, body)
  const text = [...sections].map(([title, content]) => `## ${title}\n\n${content}\n`)
  writeFileSync(file, [preface, ...text].join('\n'))
}
