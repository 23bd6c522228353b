import { PlatformUnavailable } from '#shared/platform/ports.ts'

/** Whether an error is a failed system call: the disk is full, broken or read-only, or no file descriptors are left. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).errno === 'number' && 'syscall' in error

/** Returns a failed system call as `PlatformUnavailable`, so a client may retry. Returns any other error unchanged. */
export const diskFault = (error: unknown): unknown =>
  isSystemError(error) ? new PlatformUnavailable(error.message, { cause: error }) : error
