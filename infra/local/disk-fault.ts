import { PlatformUnavailable } from '#shared/platform/ports.ts'

/** Whether an error is a system call's that failed: the disk is full, broken or read-only, or there are no descriptors left. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).errno === 'number' && 'syscall' in error

/** The error of a failed system call as the platform's, which a client may try again; any other error as it is. */
export const diskFault = (error: unknown): unknown =>
  isSystemError(error) ? new PlatformUnavailable(error.message, { cause: error }) : error
