/** An airport as people know it: reference data, beside what flights say of themselves. */
interface KnownAirport {
  readonly city: string;
  /** What people call it. Left out: by its city. */
  readonly name?: string;
  /** What else it is found by. */
  readonly also?: string;
}

/** Airports by IATA code: those of the catalogue that ships with the project, and the busiest of Brazil beside them. */
const AIRPORTS: Readonly<Record<string, KnownAirport | undefined>> = {
  AJU: { city: 'Aracaju', name: 'Santa Maria' },
  BEL: { city: 'Belém', name: 'Val-de-Cans', also: 'Júlio Cezar Ribeiro' },
  BPS: { city: 'Porto Seguro' },
  BSB: { city: 'Brasília', name: 'Juscelino Kubitschek', also: 'JK' },
  BVB: { city: 'Boa Vista', name: 'Atlas Brasil Cantanhede' },
  CGB: { city: 'Cuiabá', name: 'Marechal Rondon', also: 'Várzea Grande' },
  CGH: { city: 'São Paulo', name: 'Congonhas' },
  CGR: { city: 'Campo Grande' },
  CNF: { city: 'Belo Horizonte', name: 'Confins', also: 'BH Tancredo Neves' },
  CWB: { city: 'Curitiba', name: 'Afonso Pena', also: 'São José dos Pinhais' },
  EZE: { city: 'Buenos Aires', name: 'Ezeiza', also: 'Ministro Pistarini' },
  FEN: { city: 'Fernando de Noronha', also: 'Carlos Wilson' },
  FLN: { city: 'Florianópolis', name: 'Hercílio Luz', also: 'Floripa' },
  FOR: { city: 'Fortaleza', name: 'Pinto Martins' },
  GIG: { city: 'Rio de Janeiro', name: 'Galeão', also: 'Antônio Carlos Tom Jobim' },
  GRU: { city: 'São Paulo', name: 'Guarulhos', also: 'Cumbica André Franco Montoro' },
  GYN: { city: 'Goiânia', name: 'Santa Genoveva' },
  IGU: { city: 'Foz do Iguaçu', name: 'Cataratas' },
  IOS: { city: 'Ilhéus', name: 'Jorge Amado' },
  JPA: { city: 'João Pessoa', name: 'Castro Pinto' },
  LIS: { city: 'Lisboa', name: 'Humberto Delgado', also: 'Portela Lisbon' },
  MAD: { city: 'Madri', name: 'Barajas', also: 'Adolfo Suárez Madrid' },
  MAO: { city: 'Manaus', name: 'Eduardo Gomes' },
  MCP: { city: 'Macapá', name: 'Alberto Alcolumbre' },
  MCZ: { city: 'Maceió', name: 'Zumbi dos Palmares' },
  MIA: { city: 'Miami' },
  MVD: { city: 'Montevidéu', name: 'Carrasco', also: 'Montevideo' },
  NAT: { city: 'Natal', name: 'Aluízio Alves', also: 'São Gonçalo do Amarante' },
  NVT: { city: 'Navegantes', name: 'Victor Konder' },
  PLU: { city: 'Belo Horizonte', name: 'Pampulha', also: 'BH' },
  PMW: { city: 'Palmas', name: 'Lysias Rodrigues' },
  POA: { city: 'Porto Alegre', name: 'Salgado Filho' },
  PVH: { city: 'Porto Velho', name: 'Jorge Teixeira' },
  RAO: { city: 'Ribeirão Preto', name: 'Leite Lopes' },
  RBR: { city: 'Rio Branco', name: 'Plácido de Castro' },
  REC: { city: 'Recife', name: 'Guararapes', also: 'Gilberto Freyre' },
  SCL: { city: 'Santiago', name: 'Pudahuel', also: 'Arturo Merino Benítez' },
  SDU: { city: 'Rio de Janeiro', name: 'Santos Dumont' },
  SLZ: { city: 'São Luís', name: 'Cunha Machado' },
  SSA: { city: 'Salvador', name: 'Luís Eduardo Magalhães', also: 'Dois de Julho' },
  THE: { city: 'Teresina', name: 'Petrônio Portella' },
  UDI: { city: 'Uberlândia', name: 'César Bombonato' },
  VCP: { city: 'Campinas', name: 'Viracopos' },
  VIX: { city: 'Vitória', name: 'Eurico de Aguiar Salles' },
};

export const cityNamed = (code: string): string => airportOf(code)?.city ?? code;

/** The cities of all airports of which anything is known, by IATA code. */
export const citiesByAirport = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(AIRPORTS).flatMap(([code, airport]) => (airport ? [[code, airport.city]] : [])));

/** An airport by its IATA code, or undefined where nothing is known of it. */
export const airportOf = (code: string): KnownAirport | undefined =>
  Object.hasOwn(AIRPORTS, code) ? AIRPORTS[code] : undefined;
