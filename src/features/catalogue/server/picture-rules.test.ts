import { expect, it } from 'vitest'
import { allowedPicture } from './inventory.ts'

const hosts = ['https://m.media-amazon.com', 'https://*.pictures.example', 'http://localhost:9100/']

it.each([
  'https://m.media-amazon.com/images/I/1.jpg',
  'https://eu.pictures.example/1.jpg',
  'http://localhost:9100/images/1.jpg',
])('shows %s', address => expect(allowedPicture(address, hosts)).toBe(address))

it.each([
  null,
  '',
  'no address',
  'javascript:alert(1)',
  '/images/1.jpg',
  'http://m.media-amazon.com/images/I/1.jpg',
  'https://m.media-amazon.com:8443/1.jpg',
  'https://m.media-amazon.com.evil.example/1.jpg',
  'https://pictures.example/1.jpg',
  'http://localhost:9101/1.jpg',
])('asks nobody for %s', address => expect(allowedPicture(address, hosts)).toBeNull())
