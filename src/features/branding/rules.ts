import { numberText } from '#shared/money.ts'

/** What reports look like without a profile: the teal and amber of Tideline. */
export const ownColors = { primaryColor: '#0b5d6b', accentColor: '#b45309' } as const

const paper = '#ffffff'
const ink = '#14212b'
// WCAG 2.2, 1.4.3: text of usual size.
const leastContrast = 4.5

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colors, `#rrggbb`, from 1 to 21, as WCAG 2.2 defines it. */
export function contrastOf(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

/** White or black, whichever can be read better on a color. One of them always has enough contrast. */
export const textOn = (color: string): string =>
  contrastOf(color, paper) >= Math.min(leastContrast, contrastOf(color, '#000000')) ? paper : '#000000'

/** The color itself where text in it can be read on white paper, else the usual dark one. */
export const textOnPaper = (color: string): string => (contrastOf(color, paper) >= leastContrast ? color : ink)

/** What a person should know about a color, in words, and whether text in it can be read on white paper. */
export function describeContrast(color: string): { isReadable: boolean; sentence: string } {
  const ratio = (of: number) => `${numberText(of, 1)} to 1`
  const onColor = `${textOn(color) === paper ? 'White' : 'Black'} text on it has a contrast of ${ratio(contrastOf(color, textOn(color)))}.`
  const onPaper = contrastOf(color, paper)
  const isReadable = onPaper >= leastContrast
  return {
    isReadable,
    sentence: isReadable
      ? `Easy to read: text in it has a contrast of ${ratio(onPaper)} on white paper. ${onColor}`
      : `Too light for text on white paper (${ratio(onPaper)}, at least ${numberText(leastContrast, 1)} is needed), so such text is printed dark. ${onColor}`,
  }
}
