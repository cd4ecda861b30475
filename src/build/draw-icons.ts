import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'

// Makes the icons of public/ that systems cut or show small: `node src/build/draw-icons.ts` after a change.

const [sand, sea, foam, sun] = ['#f7f1e5', '#0f4c52', '#7fb5b0', '#d98a1f']
const folder = 'public/'

const svg = (content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${content}</svg>`)

// Systems cut circles, squares and drops out of it: what matters stays within the middle four fifths, and the waves run on
// to all sides.
const maskable = svg(`
  <path fill="${sand}" d="M0 0h512v512H0z"/>
  <circle cx="330" cy="160" r="38" fill="${sun}"/>
  <path fill="${foam}" d="M-40 284c70-62 128-62 198 0s128 62 198 0 128-62 198 0v300H-40z"/>
  <path fill="${sea}" d="M-40 332c70-62 128-62 198 0s128 62 198 0 128-62 198 0v300H-40z"/>
  <path fill="none" stroke="${sand}" stroke-width="16" stroke-linecap="round" d="M158 408c34-26 64-26 98 0s64 26 98 0"/>`)

const symbols = {
  triage:
    '<path d="M186 330V236a70 70 0 0 1 140 0v94l26 26H160z"/><path d="M232 384a26 26 0 0 0 48 0"/><path d="M256 166v-22"/>',
  budget: '<circle cx="256" cy="256" r="112"/><path d="M256 188v80l52 34"/>',
  create: '<path d="M256 152v208M152 256h208"/>',
  reports: '<path d="M152 352l68-84 56 46 84-122"/><path d="M304 192h56v56"/>',
} as const

const shortcut = (symbol: string): Buffer =>
  svg(`<circle cx="256" cy="256" r="256" fill="${sea}"/>
    <g fill="none" stroke="${sand}" stroke-width="34" stroke-linecap="round" stroke-linejoin="round">${symbol}</g>`)

async function draw(source: Buffer, size: number, name: string): Promise<void> {
  const picture = sharp(source, { density: (72 * size) / 512 }).resize(size, size)
  await writeFile(`${folder}${name}`, await picture.png({ palette: true, effort: 10 }).toBuffer())
}

await Promise.all([
  draw(maskable, 192, 'icon-maskable-192.png'),
  draw(maskable, 512, 'icon-maskable-512.png'),
  ...Object.entries(symbols).map(([name, symbol]) => draw(shortcut(symbol), 96, `shortcut-${name}-96.png`)),
])
