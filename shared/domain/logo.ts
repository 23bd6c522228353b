import { Refusal } from './errors.ts'
import { type FileType, fileTypeOf } from './file-type.ts'

/** The largest logo, in bytes: 100 KB. */
export const LOGO_BYTES_MAX = 100 * 1024

/** The types of images that every browser shows. */
export const logo_types = ['image/png', 'image/jpeg', 'image/webp'] as const satisfies readonly FileType[]
export type LogoType = (typeof logo_types)[number]

/**
 * Returns the type of a logo by its content. Refuses with `invalid_parameter` a file that is too large, or that is no
 * PNG, JPEG or WEBP.
 */
export function logoTypeOf(bytes: Uint8Array): LogoType {
  refuseLargeLogo(bytes.length)
  const type = logo_types.find((known) => known === fileTypeOf(bytes))
  if (!type) throw unusable('must be a PNG, JPEG or WEBP. Upload the logo in one of these formats')
  return type
}

/** Refuses with `invalid_parameter` a logo of more than 100 KB. */
export function refuseLargeLogo(size: number): void {
  if (size > LOGO_BYTES_MAX) throw unusable('must have at most 100 KB (102,400 bytes). Upload a smaller image')
}

const unusable = (fault: string): Refusal =>
  new Refusal('invalid_parameter', {
    param: 'logo',
    message: `logo ${fault} with POST /files, and send the id of the new file.`,
  })
