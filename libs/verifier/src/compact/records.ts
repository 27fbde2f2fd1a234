/** How many records are made at a time. */
const CHUNK = 1_024;

/**
 * Records of a fixed number of bytes, by whole numbers from 0 on, zero until they are written: what an audit keeps of every
 * stream or order. They never move, and take no more than their bytes.
 */
export class Records {
  private readonly views: DataView[] = [];

  /** @param width bytes of a record */
  constructor(private readonly width: number) {}

  u8(record: number, at: number): number {
    return this.view(record).getUint8(this.base(record) + at);
  }

  setU8(record: number, at: number, value: number): void {
    this.view(record).setUint8(this.base(record) + at, value);
  }

  u32(record: number, at: number): number {
    return this.view(record).getUint32(this.base(record) + at);
  }

  setU32(record: number, at: number, value: number): void {
    this.view(record).setUint32(this.base(record) + at, value);
  }

  f64(record: number, at: number): number {
    return this.view(record).getFloat64(this.base(record) + at);
  }

  setF64(record: number, at: number, value: number): void {
    this.view(record).setFloat64(this.base(record) + at, value);
  }

  /** Bytes of a record, as they are kept: writing to them changes it. */
  bytes(record: number, at: number, length: number): Uint8Array {
    return new Uint8Array(this.view(record).buffer, this.base(record) + at, length);
  }

  private base(record: number): number {
    return (record % CHUNK) * this.width;
  }

  private view(record: number): DataView {
    const chunk = Math.floor(record / CHUNK);
    const known = this.views[chunk];
    if (known) return known;
    while (this.views.length < chunk) this.views.push(new DataView(new ArrayBuffer(CHUNK * this.width)));
    const view = new DataView(new ArrayBuffer(CHUNK * this.width));
    this.views.push(view);
    return view;
  }
}
