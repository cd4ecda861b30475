import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import type PdfDocument from 'pdfkit'

type Doc = InstanceType<typeof PdfDocument>
export type Weight = 400 | 600
export type Element = PDFKit.PDFStructureElement

export const ink = '#17282b'
export const muted = '#55666a'
export const hairline = '#d5dcde'
export const margin = 48

const files = createRequire(import.meta.url)
// Each has the characters of some languages; a text is put together from those that its characters need.
const fontFiles = (weight: Weight) => [
  ...['latin', 'latin-ext', 'greek', 'cyrillic'].map(
    script => `@fontsource/noto-sans/files/noto-sans-${script}-${weight}-normal.woff`,
  ),
  `@fontsource/noto-sans-jp/files/noto-sans-jp-japanese-${weight}-normal.woff`,
]

/** The part of a font that says which characters it has; the library's types leave it out. */
interface OpenFont {
  _font: { font: { hasGlyphForCodePoint(point: number): boolean } }
}

export interface TextStyle {
  size?: number
  weight?: Weight
  color?: string
}
export interface LineStyle extends TextStyle {
  /** Longer texts end in an ellipsis. */
  width?: number
  align?: 'left' | 'right' | 'center'
}

interface TagOptions {
  /** What it shows, for those who cannot see it. */
  alt?: string
  /** Its left, top, right and bottom. */
  bbox?: [number, number, number, number]
  placement?: 'Block'
  /** Of a table's heading. */
  scope?: 'Column'
}

interface PaperOptions {
  title: string
  author: string
  /** Letter for American readers, A4 for all others. */
  size: 'LETTER' | 'A4'
}

/**
 * A PDF of tagged, embedded text and vectors (PDF/UA). Coordinates are points from the top left. What is drawn within
 * `tag` is read aloud; everything else belongs in `decorate`.
 */
export async function openPaper({ title, author, size }: PaperOptions) {
  const { default: PDFDocument } = await import('pdfkit')
  const doc: Doc = new PDFDocument({
    size,
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    lang: 'en',
    pdfVersion: '1.7',
    // The library's types ask for a name; without one it opens no font of its own, which could not be embedded.
    font: null as never,
    subset: 'PDF/UA' as never,
    info: { Title: title, Author: author, Creator: 'Tideline', Producer: 'Tideline' },
  })
  for (const weight of [400, 600] as const)
    for (const file of fontFiles(weight)) doc.registerFont(file, await readFile(files.resolve(file)))
  const root = doc.struct('Document')
  doc.addStructure(root)

  const hasGlyph = (font: string, point: number): boolean => {
    doc.font(font)
    return (doc as unknown as OpenFont)._font.font.hasGlyphForCodePoint(point)
  }
  const fontOf = new Map<string, string | null>()
  const fontFor = (char: string, weight: Weight): string | null => {
    const key = `${weight}${char}`
    const cached = fontOf.get(key)
    if (cached !== undefined) return cached
    const found = fontFiles(weight).find(font => hasGlyph(font, char.codePointAt(0) ?? 0)) ?? null
    fontOf.set(key, found)
    return found
  }
  /** A text in pieces of one font each; characters that no font has are shown as a question mark. */
  const piecesOf = (text: string, weight: Weight) => {
    const [usual = ''] = fontFiles(weight)
    const pieces: { font: string; text: string }[] = []
    for (const char of text.replace(/\s+/g, ' ')) {
      const font = char === ' ' ? (pieces.at(-1)?.font ?? usual) : fontFor(char, weight)
      const shown = font === null ? '?' : char
      const last = pieces.at(-1)
      if (last && last.font === (font ?? usual)) last.text += shown
      else pieces.push({ font: font ?? usual, text: shown })
    }
    return pieces
  }
  const widthOf = (text: string, { size: points = 10, weight = 400 }: TextStyle = {}): number =>
    piecesOf(text, weight).reduce((sum, one) => sum + doc.font(one.font).fontSize(points).widthOfString(one.text), 0)

  const fitting = (text: string, width: number, style: TextStyle): string => {
    if (widthOf(text, style) <= width) return text
    const chars = Array.from(text)
    let [low, high] = [0, chars.length]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (widthOf(`${chars.slice(0, middle).join('')}…`, style) <= width) low = middle
      else high = middle - 1
    }
    return `${chars.slice(0, low).join('').trimEnd()}…`
  }

  /** One line with its top at y. */
  const line = (text: string, x: number, y: number, { width, align = 'left', ...style }: LineStyle = {}): void => {
    const { size: points = 10, weight = 400, color = ink } = style
    const shown = width === undefined ? text : fitting(text, width, style)
    const room = (width ?? 0) - widthOf(shown, style)
    let at = x + (align === 'right' ? room : align === 'center' ? room / 2 : 0)
    doc.fillColor(color)
    for (const piece of piecesOf(shown, weight)) {
      doc.font(piece.font).fontSize(points)
      const wide = doc.widthOfString(piece.text)
      // All fonts on one baseline.
      doc.text(piece.text, at, y + points, { lineBreak: false, baseline: 'alphabetic' })
      at += wide
    }
  }

  /** The lines of a text within a width; Japanese breaks anywhere, other texts between words. */
  const wrap = (text: string, width: number, style: TextStyle = {}): string[] => {
    const lines: string[] = []
    let current = ''
    for (const word of text.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/g) ?? []) {
      if (current && widthOf((current + word).trimEnd(), style) > width) {
        lines.push(current.trimEnd())
        current = word.trimStart()
      } else current += word
    }
    return current ? [...lines, current.trimEnd()] : lines
  }
  /** Lines of text from y on; returns where they end. */
  const paragraph = (text: string, x: number, y: number, width: number, style: TextStyle = {}): number => {
    const height = (style.size ?? 10) * 1.45
    return wrap(text, width, style).reduce((at, one) => {
      line(one, x, at, { ...style, width })
      return at + height
    }, y)
  }

  /** Draws what a screen reader reads as an element of this type, in its parent. */
  const tag = (parent: Element, type: string, draw: () => void, options: TagOptions = {}): void => {
    parent.add(doc.struct(type, options, () => draw()))
  }
  /** An element that holds others; end it when they are drawn. */
  const group = (parent: Element, type: string, options: TagOptions = {}): Element => {
    const element = doc.struct(type, options)
    parent.add(element)
    return element
  }
  /** Draws what a screen reader passes over. */
  const decorate = (draw: () => void): void => {
    doc.markContent('Artifact')
    draw()
    doc.endMarkedContent()
  }

  return { doc, root, widthOf, line, wrap, paragraph, tag, group, decorate }
}
export type Paper = Awaited<ReturnType<typeof openPaper>>
