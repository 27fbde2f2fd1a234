/** What the MCP endpoint needs to know. A value; the class is its own token. */
export abstract class McpSettings {
  /** Origins beside our own whose pages may call it. */
  abstract readonly allowedOrigins: readonly string[];
}
