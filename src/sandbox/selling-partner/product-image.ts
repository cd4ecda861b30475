import { html } from '../core/html.ts'
import type { Product } from '../core/model/store.ts'
import { hashText, mix } from '../market/random.ts'

/** An SVG image of a product, drawn from its ASIN: always the same for one product, and different for every other. */
export function productImage(product: Pick<Product, 'asin' | 'title'>): string {
  const seed = hashText(product.asin, 3)
  const hue = seed % 360
  const shapes = Array.from({ length: 4 }, (_, i) => {
    const roll = mix(seed, i)
    const [x, y, size] = [120 + (roll % 260), 120 + ((roll >>> 8) % 260), 50 + ((roll >>> 16) % 90)]
    const fill = `hsl(${(hue + 35 * i) % 360} 55% ${42 + 8 * i}%)`
    return roll % 2 === 0
      ? html`<circle cx="${x}" cy="${y}" r="${size}" fill="${fill}"/>`
      : html`<rect x="${x - size}" y="${y - size}" width="${size * 2}" height="${size * 1.4}" rx="18" fill="${fill}"/>`
  })
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500" width="500" height="500" role="img"><title>${product.title}</title><rect width="500" height="500" fill="hsl(${hue} 30% 94%)"/>${shapes}</svg>`.toString()
}
