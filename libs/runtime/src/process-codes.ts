/** Exit code of a command line that is not understood. */
export const EX_USAGE = 2;

/** Exit code of a process that cannot run as it is configured (BSD sysexits). */
export const EX_CONFIG = 78;

/** The umask of every process of the program: what it makes is for its owner alone. */
export const OWNER_ONLY = 0o077;
